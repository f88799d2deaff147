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

test('large public texts come from memory, as the smallest copy that the client accepts', async () => {
  for (const path of ['/api/v1/openapi.json', '/api/v1/openapi-3.0.json']) {
    const read = async (encoding: string, headers = {}) => {
      const answer = await fetch(baseUrl + path, { headers: { 'Accept-Encoding': encoding, ...headers } });
      const text = await answer.text();
      const { 'content-encoding': coding, 'content-length': length } = Object.fromEntries(answer.headers);
      return { text, coding, bytes: Number(length) };
    };
    // The first answer is made, and kept after its end.
    await expect.poll(async () => (await read('br')).coding).toBe('br');
    const copies = await Promise.all(['br', 'gzip', 'identity', 'zstd'].map((encoding) => read(encoding)));
    expect(copies.map(({ coding }) => coding)).toEqual(['br', 'gzip', undefined, undefined]);
    const [br = 0, gzip = 0, plain = 0] = copies.map(({ bytes }) => bytes);
    expect([br < gzip, gzip < plain / 2, plain]).toEqual([true, true, Buffer.byteLength(copies[2]?.text ?? '')]);
    expect(new Set(copies.map(({ text }) => text)).size).toBe(1);
    const indonesian = await read('br', { 'Accept-Language': 'id' });
    const english = await read('br', { 'Accept-Language': 'en' });
    expect(indonesian.text === english.text).toBe(false);
    await fetch(`${baseUrl}${path}?lang=en&x=poison`);
    expect((await read('gzip')).text).not.toContain('poison');
  }
});

test.each(['openapi.json', 'openapi-3.0.json'])('redocly lint finds no error and no warning in %s', async (name) => {
  const document = await fetch(`${baseUrl}/api/v1/${name}`);
  // Against the address of a deployment: the strict rules forbid an example host and localhost.
  const source = (await document.text()).replaceAll(baseUrl, 'https://notif.perusahaan.test');
  const config = await createConfig({ extends: ['recommended-strict'] });
  expect(await lintFromString({ source, config })).toEqual([]);
});
