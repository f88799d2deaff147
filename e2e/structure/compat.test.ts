import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { readOldestBrowsers } from '#e2e/compat/features.ts';
import { listMissingApis } from '#e2e/compat/missing-apis.ts';
import { checkStyles } from '#e2e/compat/styles.ts';
import { root } from '#e2e/support/service/service.ts';

const oldest = readOldestBrowsers(root);
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

test('a browser test deletes what the data says, and leaves what is there', () => {
  const paths = listMissingApis(oldest).map((path) => path.join('.'));
  expect(paths).toEqual(
    expect.arrayContaining(['Map.groupBy', 'AbortSignal.any', 'requestIdleCallback', 'Set.prototype.union']),
  );
  for (const kept of ['Array.prototype.toSorted', 'structuredClone', 'BroadcastChannel', 'Navigator.prototype.locks'])
    expect(paths).not.toContain(kept);
});

/** Style features that pages use although one of the oldest browsers lacks them, each with its reason. */
const accepted: Record<string, string> = {
  'cursor: pointer': 'a phone has no pointer',
  'font-family: ui-monospace': 'other fonts follow in the list',
  '@page': 'the margins of a printed sheet are then those of the print dialog',
  size: 'the paper of a printed sheet is then that of the print dialog',
  '@media (scripting)': 'without scripts a phone then has the search and no other filter',
  ':has': 'a row with the focus of the keyboard then shows the short time only',
  'break-after: avoid': 'a heading may then be printed at the foot of a page',
};

// The style sheets within an HTML file, at their lines.
function listInlineStyles(html: string): string {
  const parts = html.split(/(<\/?style[^>]*>)/);
  return parts.map((part, index) => (index % 4 === 2 ? part : part.replace(/[^\n]/g, ' '))).join('');
}

test('the style sheets of the pages use only what the oldest browsers have, or what is accepted', () => {
  const files = globSync(['app/**/*.css', 'public/*.html'].map((pattern) => join(root, pattern)));
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const styles = path.endsWith('.html') ? listInlineStyles(text) : text;
    return checkStyles(path, styles, oldest).map((one) => ({ ...one, file: relative(root, path) }));
  });
  expect(found.filter(({ feature }) => !(feature in accepted))).toEqual([]);
  expect(Object.keys(accepted).filter((name) => !found.some(({ feature }) => feature === name))).toEqual([]);
});
