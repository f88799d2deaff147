import { expect, test } from 'vitest';
import { chooseLanguage, requestedLanguage } from '#platform/net/choose-language.ts';

test.each([
  [['en', 'id'], 'id', 'person', 'en'],
  [[null, undefined, '', 'fr', 'id'], 'en', 'program', 'id'],
  [[], 'id-ID,id;q=0.9,en;q=0.8', 'program', 'id'],
  [[], 'en-GB', 'person', 'en'],
  [[], 'id;q=0,en', 'person', 'en'],
  [[], 'fr', 'program', 'en'],
  [[], 'fr', 'person', 'id'],
  [[], '*', 'person', 'id'],
  [[], ';q=,,*', 'program', 'en'],
  [[], null, 'program', 'en'],
] as const)('of %j and Accept-Language %j, a %s gets %s', (choices, acceptLanguage, reader, language) => {
  expect(chooseLanguage([...choices], acceptLanguage, reader)).toBe(language);
});

test('the address of a request counts more than its Accept-Language', () => {
  const ask = (query: string) =>
    requestedLanguage(new Request(`https://x.test/${query}`, { headers: { 'Accept-Language': 'id' } }));
  expect([ask('?lang=en'), ask('?lang=fr'), ask('')]).toEqual(['en', 'id', 'id']);
});
