import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { readOldestBrowsers } from '#e2e/compat/features.ts';
import { checkStyles } from '#e2e/compat/styles.ts';
import { root } from '#e2e/support/service/service.ts';

const oldest = readOldestBrowsers(root);

test('the oldest browsers are those that the documentation names', () => {
  expect(Object.fromEntries(oldest)).toEqual({
    ...{ chrome: 111, chrome_android: 111, edge: 111, firefox: 115, firefox_android: 115 },
    ...{ safari: 16.4, safari_ios: 16.4, samsunginternet_android: 22 },
  });
});

/** Style features that pages use although one of the oldest browsers lacks them, each with its reason. */
const accepted: Record<string, string> = {
  'cursor: pointer': 'a phone has no pointer',
  'font-family: ui-monospace': 'other fonts follow in the list',
  '@page': 'the margins of a printed sheet are then those of the print dialog',
  size: 'the paper of a printed sheet is then that of the print dialog',
  ':has': 'a row with the focus of the keyboard then shows the short time only',
  'field-sizing': 'a filter is then as wide as its longest choice',
  'field-sizing: content': 'the same',
};

// The style sheets within an HTML file, at their lines.
function listInlineStyles(html: string): string {
  const parts = html.split(/(<\/?style[^>]*>)/);
  return parts.map((part, index) => (index % 4 === 2 ? part : part.replace(/[^\n]/g, ' '))).join('');
}

test('the style sheets of the pages use only what the oldest browsers have, or what is accepted', () => {
  const files = globSync(['app/**/*.css', 'app/browser-files/*.html'].map((pattern) => join(root, pattern)));
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const styles = path.endsWith('.html') ? listInlineStyles(text) : text;
    return checkStyles(path, styles, oldest).map((one) => ({ ...one, file: relative(root, path) }));
  });
  expect(found.filter(({ feature }) => !(feature in accepted))).toEqual([]);
  expect(Object.keys(accepted).filter((name) => !found.some(({ feature }) => feature === name))).toEqual([]);
});
