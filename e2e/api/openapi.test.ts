import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { root } from '#e2e/support/service/service.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';

test('it equals docs/openapi.json except for its address, in English and in Indonesian', async () => {
  const read = async (search: string, language = '') => {
    const answer = await fetch(`${baseUrl}/api/v1/openapi.json${search}`, { headers: { 'Accept-Language': language } });
    const { headers } = answer;
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-language');
    return {
      language: headers.get('content-language'),
      text: (await answer.text()).replaceAll(baseUrl, 'https://notif.example.com'),
    };
  };
  const kept = JSON.stringify(JSON.parse(await readFile(join(root, 'docs', 'openapi.json'), 'utf8')));
  expect(await read('')).toEqual({ language: 'en', text: kept });
  expect(await read('?lang=en', 'id')).toEqual({ language: 'en', text: kept });
  expect(await read('?lang=xx', 'fr')).toEqual({ language: 'en', text: kept });
  const indonesian = JSON.stringify(makeOpenApiDocument('https://notif.example.com', 'id'));
  expect(await read('?lang=id', 'en')).toEqual({ language: 'id', text: indonesian });
  expect(await read('', 'id-ID,id;q=0.9,en;q=0.8')).toEqual({ language: 'id', text: indonesian });
});

test('redocly lint finds no error and no warning', async () => {
  const document = await fetch(`${baseUrl}/api/v1/openapi.json`);
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source: await document.text(), config })).toEqual([]);
});
