import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The first arguments of calls such as `test('…')`, `test.each(…)('…')` and `test.skipIf(…)('…')` in a file. */
function listTitles(file: string): string[] {
  const titles: string[] = [];
  const text = readFileSync(join(root, file), 'utf8');
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (/^test\b/.test(text.slice(callee.start, callee.end)) && title?.type === 'Literal')
        titles.push(String(title.value));
      if (/^test\b/.test(text.slice(callee.start, callee.end)) && title?.type === 'TemplateLiteral')
        titles.push(title.quasis.map(({ value }) => value.cooked).join('…'));
    },
  }).visit(parseSync(file, text).program);
  return titles;
}

test('the title of a test has at most 100 characters', () => {
  const files = globSync('{app,bench,db,e2e,platform,release,server}/**/*.{test,spec}.ts', { cwd: root });
  const titles = files
    .filter((file) => !file.includes('node_modules'))
    .flatMap((file) => listTitles(file).map((title) => ({ file, title })));
  expect(titles.length).toBeGreaterThan(1000);
  expect(titles.filter(({ title }) => title.length > 100)).toEqual([]);
});
