import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { makeOpenApi30Document, makeOpenApiDocument } from '#server/api/document/openapi.ts';

test.each([
  ['openapi.json', makeOpenApiDocument],
  ['openapi-3.0.json', makeOpenApi30Document],
] as const)('%s is the document of this address, in English and in Indonesian, for any site', async (name, make) => {
  const read = async (search: string, language = '', method = 'GET') => {
    const init = { method, headers: { 'Accept-Language': language } };
    const answer = await fetch(`${baseUrl}/api/v1/${name}${search}`, init);
    const { headers } = answer;
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-language');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    return { language: headers.get('content-language'), text: await answer.text() };
  };
  const [en, id] = [JSON.stringify(make(baseUrl)), JSON.stringify(make(baseUrl, 'id'))];
  expect(await read('')).toEqual({ language: 'en', text: en });
  expect(await read('?lang=en', 'id')).toEqual({ language: 'en', text: en });
  expect(await read('?lang=xx', 'fr')).toEqual({ language: 'en', text: en });
  expect(await read('?lang=id', 'en')).toEqual({ language: 'id', text: id });
  expect(await read('', 'id-ID,id;q=0.9,en;q=0.8')).toEqual({ language: 'id', text: id });
  expect(await read('?lang=id', 'en', 'HEAD')).toEqual({ language: 'id', text: '' });
});

test('the documents are compressed for clients that allow it', async () => {
  for (const name of ['openapi.json', 'openapi-3.0.json']) {
    const read = (encoding: string) => fetch(`${baseUrl}/api/v1/${name}`, { headers: { 'Accept-Encoding': encoding } });
    const [small, plain] = await Promise.all([read('gzip'), read('identity')]);
    expect([small.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(await small.text()).toBe(await plain.text());
  }
});

test.each(['openapi.json', 'openapi-3.0.json'])('redocly lint finds no error and no warning in %s', async (name) => {
  const document = await fetch(`${baseUrl}/api/v1/${name}`);
  // Against the address of a deployment: the strict rules forbid an example host and localhost.
  const source = (await document.text()).replaceAll(baseUrl, 'https://notif.perusahaan.test');
  const config = await createConfig({ extends: ['recommended-strict'] });
  expect(await lintFromString({ source, config })).toEqual([]);
});
