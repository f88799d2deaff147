import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Language, languages } from '#platform/language.ts';
import * as openapi from '#server/api/document/openapi.ts';
import { impossibleId } from '#server/sends/store.ts';

const address = 'https://notif.example.com';

test.each(languages)('the document (%s) has all of its texts, and no other but two parameters', (language) => {
  const texts = Object.values(openapi.listDocumentTexts(address, language));
  const parameters = ['aksi=ping', 'aksi=karyawan'];
  const paragraphs = new Set<string>();
  openapi.translate(openapi.makeOpenApiDocument(address, language), (paragraph) => {
    paragraphs.add(paragraph);
    return '';
  });
  expect([...paragraphs].sort()).toEqual([...new Set([...texts, ...parameters])].sort());
});

test('the languages differ in texts only, and the document depends on its address only', () => {
  const errors = /"error":"[^"\\]*(?:\\.[^"\\]*)*"/g;
  const withoutTexts = (language: Language) =>
    JSON.stringify(openapi.translate(openapi.makeOpenApiDocument(address, language), () => '')).replace(errors, '');
  for (const language of languages) expect(withoutTexts(language)).toBe(withoutTexts('en'));
  const text = (base: string) => JSON.stringify(openapi.makeOpenApiDocument(base));
  expect(text(address)).toBe(text(address));
  expect(text('http://127.0.0.1:3000').replaceAll('http://127.0.0.1:3000', address)).toBe(text(address));
});

type Schema = { type?: string; additionalProperties?: unknown; required?: string[] };
const document = openapi.makeOpenApiDocument(address);
const schemas = document.components.schemas as Record<string, Schema>;
const { head, post } = document.paths['/api/v1/notif.php'] ?? {};

test('answers take further fields, no schema has alternatives, and the header’s scheme its name', () => {
  for (const name of ['Employee', 'Failure', 'ReadAnswer', 'SendAnswer'])
    expect(schemas[name], name).not.toHaveProperty('additionalProperties');
  const text = JSON.stringify(schemas);
  for (const keyword of ['const', 'oneOf', 'anyOf', 'allOf', 'patternProperties'])
    expect(text).not.toContain(`"${keyword}":`);
  // Generated Lua sends the name of the scheme.
  expect(document.components.securitySchemes).toMatchObject({ 'X-API-Key': { name: 'X-API-Key' } });
});

test('no example of a body reaches anybody, and no example has an Idempotency-Key', () => {
  const bodies = Object.values(post?.requestBody?.content ?? {});
  expect(bodies).toHaveLength(2);
  for (const { schema, examples = {} } of bodies) {
    expect(schema).toEqual({ $ref: '#/components/schemas/Notification' });
    for (const { value } of Object.values(examples)) expect(value.user_id).toBe(impossibleId);
  }
  // A program that has no example makes one from the fields.
  expect(schemas.Notification).toMatchObject({ properties: { user_id: { examples: [impossibleId] } } });
  const parameter = post?.parameters?.find((one) => 'name' in one && one.name === 'Idempotency-Key');
  expect(JSON.stringify(parameter)).not.toContain('"example');
});

test('HEAD has the statuses and headers of GET and no body', () => {
  expect(Object.keys(head?.responses ?? {})).toEqual(['200', '400', '401', '405', '429', '500', '503']);
  for (const response of Object.values(head?.responses ?? {}))
    expect(Object.keys(response)).toEqual(['description', 'headers']);
});

test('the pattern of url takes a path of the portal only', () => {
  const { properties } = schemas.Notification as { properties: Record<string, { pattern: string }> };
  const pattern = new RegExp(properties.url?.pattern ?? '');
  for (const url of ['/', '/portal/notifications?id=7#top']) expect(url).toMatch(pattern);
  for (const url of ['//evil.example', '/\\evil.example', '/a\nb', 'portal']) expect(url).not.toMatch(pattern);
});

test('the document in OpenAPI 3.0 has JSON only, and no keyword of 3.1', () => {
  const old = openapi.makeOpenApi30Document(address);
  expect(old.openapi).toBe('3.0.3');
  expect(Object.keys(old.paths['/api/v1/notif.php']?.post?.requestBody?.content ?? {})).toEqual(['application/json']);
  expect(old.components.schemas.Notification).toMatchObject({
    properties: { url: { type: 'string', nullable: true }, user_id: { example: impossibleId } },
  });
  expect(JSON.stringify(old)).not.toMatch(/"(?:const|type)":\[|"examples":\[|"const":|"null"/);
});

test('docs/openapi.json is the document, indented, so that a review sees its changes', async () => {
  const copy = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');
  await expect(`${JSON.stringify(openapi.makeOpenApiDocument(address), null, 2)}\n`).toMatchFileSnapshot(copy);
});
