import { expect, test } from 'vitest';
import { judge } from '#e2e/compat/check.ts';
import { readOldestBrowsers } from '#e2e/compat/features.ts';
import { listMissingApis } from '#e2e/compat/missing-apis.ts';
import { checkScript } from '#e2e/compat/scripts.ts';
import { checkStyles } from '#e2e/compat/styles.ts';
import { root } from '#harness/service.ts';

const oldest = readOldestBrowsers(root);
const findIn = (text: string, file = 'x.tsx') =>
  checkScript(file, text, oldest)
    .map(({ feature }) => feature)
    .sort();
const findInStyles = (text: string) =>
  checkStyles('x.css', text, oldest)
    .map(({ feature }) => feature)
    .sort();

test('the oldest browsers are those that the documentation names', () => {
  expect(Object.fromEntries(oldest)).toEqual({
    ...{ chrome: 111, chrome_android: 111, edge: 111, firefox: 115, firefox_android: 115 },
    ...{ safari: 16.4, safari_ios: 16.4, samsunginternet_android: 22 },
  });
});

test.each([
  ['Map.groupBy(items, byDay)', ['Map.groupBy']],
  ['Object.groupBy(items, byDay)', ['Object.groupBy']],
  ['AbortSignal.any([one, other])', ['AbortSignal.any']],
  ['Promise.withResolvers()', ['Promise.withResolvers']],
  ['Array.fromAsync(pages)', ['Array.fromAsync']],
  ['new Set(a).union(new Set(b))', ['.union']],
  ['map.values().map(double)', ['Iterator.map']],
  ['Object.values(map).map(double)', []],
  ["URL.canParse('x'); URL.parse('x')", ['URL.canParse', 'URL.parse']],
  ['requestIdleCallback(work)', ['requestIdleCallback']],
  ['window.requestIdleCallback(work)', ['window.requestIdleCallback']],
  ['text.isWellFormed()', ['.isWellFormed']],
  ['element.showPopover()', ['.showPopover']],
  ['new Intl.DurationFormat(language); new Intl.Segmenter()', ['Intl.DurationFormat', 'Intl.Segmenter']],
  ['navigator.userAgentData', ['navigator.userAgentData']],
  ["addEventListener('scrollend', stop)", ['event scrollend']],
  ['/[\\p{L}--[a-z]]/v.test(text)', ['regular expression, flag v']],
  ['/(?i:a)b/.test(text)', ['regular expression, (?i:)']],
  ['<div popover="auto" />', ['popover=']],
  ['<search />', ['<search>']],
])('%s is judged', (text, found) => {
  expect(findIn(text)).toEqual(found);
});

test('what the oldest browsers have is no finding', () => {
  const text = `items.toSorted().at(-1); structuredClone(items); text.replaceAll('a', 'b'); AbortSignal.timeout(1);
    Object.hasOwn(a, b); new Intl.RelativeTimeFormat('id'); list.findLast(is); navigator.locks.request(a, b); <dialog inert />`;
  expect(findIn(text)).toEqual([]);
});

test('a name that the file asks for, or declares itself, is no finding', () => {
  for (const text of [
    "if ('groupBy' in Map) Map.groupBy(items, byDay)",
    'navigator.userAgentData?.(); if (navigator.userAgentData) use(navigator.userAgentData)',
    "typeof requestIdleCallback === 'function' && requestIdleCallback(work)",
    'const requestIdleCallback = later; requestIdleCallback(work)',
    "'popover' in HTMLElement.prototype || open()",
  ])
    expect(findIn(text), text).toEqual([]);
});

test.each([
  ['a:has(b) { color: red }', [':has']],
  ['a { color: light-dark(red, blue) }', ['light-dark()']],
  ['a { & b { color: red } }', ['nested rule']],
  ["@property --a { syntax: '*'; inherits: false }", ['@property']],
  ['a { text-wrap: balance }', ['text-wrap', 'text-wrap: balance']],
  ['a { field-sizing: content }', ['field-sizing', 'field-sizing: content']],
  ['a:popover-open { color: red }', [':popover-open']],
  ['@starting-style { a { opacity: 0 } }', ['@starting-style']],
  ['a { height: 100dvh; width: 10cqi; color: color-mix(in srgb, red, blue) }', []],
  ['@container (max-width: 1px) { a { color: red } }', []],
  ['@media (width < 9px) { a { color: red } }', []],
  ['@supports selector(:has(a)) { a:has(b) { color: red } }', []],
  ['a { color: red; color: light-dark(red, blue) }', []],
])('%s is judged', (text, found) => {
  expect(findInStyles(text)).toEqual(found);
});

test('an accepted feature that nothing uses fails the check', () => {
  expect(judge([], [{ feature: 'Map.groupBy', reason: 'an example' }])).toEqual([
    'e2e/compat/accepted.ts: nothing uses Map.groupBy any more',
  ]);
});

test('a browser test deletes what the data says, and leaves what is there', () => {
  const paths = listMissingApis(oldest).map((path) => path.join('.'));
  expect(paths).toEqual(
    expect.arrayContaining(['Map.groupBy', 'AbortSignal.any', 'requestIdleCallback', 'Set.prototype.union']),
  );
  for (const kept of ['Array.prototype.toSorted', 'structuredClone', 'BroadcastChannel', 'Navigator.prototype.locks'])
    expect(paths).not.toContain(kept);
});
