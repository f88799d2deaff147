import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { root } from '#e2e/support/service/service.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { failures } from '#server/api/failures.ts';

type Operation = { security: object[]; responses: Record<string, object>; requestBody?: { content: object } };
type Document = {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, { get: Operation; post: Operation }>;
  components: { responses: Record<string, { content: { 'application/json': { examples: object } } }> };
};

const response = await fetch(`${baseUrl}/api/v1/openapi.json`);
const document = (await response.json()) as Document;

test('the document is OpenAPI 3.1, served at /api/v1/openapi.json with the address of this deployment', () => {
  expect(response.status).toBe(200);
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.servers).toEqual([{ url: baseUrl }]);
  expect(Object.keys(document.paths)).toEqual(['/api/v1/notif.php']);
});

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

test('either header authenticates: one or the other, not both', () => {
  const { get, post } = document.paths['/api/v1/notif.php'] ?? {};
  for (const operation of [get, post]) expect(operation?.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
});

test('it has every status, every error code as an example, and the three forms of the body', () => {
  const { get, post } = document.paths['/api/v1/notif.php'] ?? {};
  expect(Object.keys(get?.responses ?? {})).toEqual(['200', '400', '401', '405', '429', '500', '503']);
  expect(Object.keys(post?.responses ?? {})).toEqual(['200', '400', '401', '404', '405', '429', '500', '503']);
  expect(Object.keys(post?.requestBody?.content ?? {})).toEqual([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]);
  const shown = Object.values(document.components.responses).flatMap(({ content }) =>
    Object.keys(content['application/json'].examples),
  );
  expect(new Set(shown)).toEqual(new Set(Object.keys(failures).filter((code) => code !== 'address_unknown')));
});

test('redocly lint finds no error and no warning', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source: JSON.stringify(document), config })).toEqual([]);
});
