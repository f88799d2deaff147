import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeOpenApiDocument } from '#server/api/openapi.ts';
import { translate } from '#server/api/openapi-finish.ts';
import { indonesian } from '#server/api/openapi-id.ts';
import { findChangesProblem, fingerprintOf, makeSnapshot, snapshotFile } from '#server/api/openapi-snapshot.ts';

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

test('docs/openapi.json is up to date (npm run openapi -- "What changed." "Yang berubah.")', () => {
  expect(makeSnapshot()).toBe(readFileSync(snapshotFile, 'utf8'));
});

test.each(['en', 'id'] as const)(
  'the newest entry of changes.%s.md names the version and fingerprint of the document',
  (language) => {
    expect(
      findChangesProblem(language, makeOpenApiDocument(address).info.version, fingerprintOf(makeSnapshot())),
    ).toBeNull();
  },
);
