import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { translate } from '#server/api/document/openapi-finish.ts';
import { indonesian } from '#server/api/document/openapi-id.ts';
import { findChangesProblem, hashSnapshot, makeSnapshot, snapshotFile } from '#server/api/document/openapi-snapshot.ts';

const address = 'https://notif.example.com';

function paragraphsOf(document: object): Set<string> {
  const found = new Set<string>();
  translate(document, (paragraph) => {
    found.add(paragraph.replaceAll(address, '{base}'));
    return '';
  });
  return found;
}

test('every paragraph of the document has an Indonesian one, and none is unused', () => {
  expect([...paragraphsOf(makeOpenApiDocument(address, 'en'))].sort()).toEqual(Object.keys(indonesian).sort());
  const translated = paragraphsOf(makeOpenApiDocument(address, 'id'));
  expect([...translated].sort()).toEqual([...new Set(Object.values(indonesian))].sort());
});

test('the two languages differ in texts only', () => {
  const withoutTexts = (language: 'id' | 'en') =>
    JSON.stringify(translate(makeOpenApiDocument(address, language), () => '')).replace(
      /"error":"[^"\\]*(?:\\.[^"\\]*)*"/g,
      '',
    );
  expect(withoutTexts('id')).toBe(withoutTexts('en'));
});

test('the document depends on its address only', () => {
  const text = (base: string) => JSON.stringify(makeOpenApiDocument(base));
  expect(text(address)).toBe(text(address));
  expect(text('http://127.0.0.1:3000').replaceAll('http://127.0.0.1:3000', address)).toBe(text(address));
});

type Schema = { type?: string; additionalProperties?: unknown; required?: string[]; patternProperties?: object };
const schemas = makeOpenApiDocument(address).components.schemas as Record<string, Schema>;

test('every answer may have further fields, and no schema has a constant or several types', () => {
  const answers = ['Employee', 'Failure', 'ReadAnswer', 'SendAnswer'];
  for (const name of answers) expect(schemas[name]?.additionalProperties, name).toBe(true);
  const text = JSON.stringify(schemas);
  for (const keyword of ['const', 'oneOf', 'anyOf', 'allOf']) expect(text).not.toContain(`"${keyword}":`);
});

test('each form has a schema of its own, whose fields are those of the JSON body, as texts', () => {
  const json = schemas.Notification as { properties: object };
  for (const name of ['NotificationForm', 'NotificationMultipart']) {
    const { required, patternProperties = {}, additionalProperties } = schemas[name] ?? {};
    expect(required).toEqual(['judul', 'isi']);
    expect(additionalProperties).toEqual({ type: 'string' });
    expect(Object.keys(patternProperties)).toEqual(Object.keys(json.properties).map((field) => `^${field}$`));
    for (const { type } of Object.values(patternProperties) as Schema[]) expect(type).toBe('string');
  }
});

test('docs/openapi.json is up to date (npm run openapi -- "What changed." "Yang berubah.")', () => {
  expect(makeSnapshot()).toBe(readFileSync(snapshotFile, 'utf8'));
});

test.each(['en', 'id'] as const)(
  'the newest entry of changes.%s.md names the version and fingerprint of the document',
  (language) => {
    expect(
      findChangesProblem(language, makeOpenApiDocument(address).info.version, hashSnapshot(makeSnapshot())),
    ).toBeNull();
  },
);
