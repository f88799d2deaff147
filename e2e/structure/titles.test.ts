import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The titles of `test('…')`, `test.each(…)('…')`, `test.skipIf(…)('…')` and `row('H1', '…')` in a file. */
function listTitles(file: string): string[] {
  const titles: string[] = [];
  const text = readFileSync(join(root, file), 'utf8');
  new Visitor({
    CallExpression({ callee, arguments: [title, ofRow] }) {
      const name = text.slice(callee.start, callee.end);
      if (/^(?:ignoredR|r)ow$/.test(name) && title?.type === 'Literal' && ofRow?.type === 'Literal')
        titles.push(`${ofRow.value} (${title.value})`);
      if (!/^test\b/.test(name)) return;
      if (title?.type === 'Literal') titles.push(String(title.value));
      if (title?.type === 'TemplateLiteral') titles.push(title.quasis.map(({ value }) => value.cooked).join('…'));
    },
  }).visit(parseSync(file, text).program);
  return titles;
}

const files = globSync('{app,bench,db,e2e,platform,release,server}/**/*.{test,spec}.ts', { cwd: root });
const titles = files
  .filter((file) => !file.includes('node_modules'))
  .flatMap((file) => listTitles(file).map((title) => ({ file, title })));

test('the title of a test has at most 100 characters', () => {
  expect(titles.length).toBeGreaterThan(1000);
  expect(titles.filter(({ title }) => title.length > 100)).toEqual([]);
});

const row = '[HMPABFUKELRTX]\\d{1,2}';
// "X7", "H3, H5", "L1–L5"
const rowsAtEnd = new RegExp(`\\((${row}(?:(?:, |–)${row})*)\\)$`);

function rowsOf(title: string): string[] {
  const named = rowsAtEnd.exec(title)?.[1]?.split(', ') ?? [];
  return named.flatMap((part) => {
    const [from = '', to = from] = part.split('–');
    const first = Number(from.slice(1));
    return Array.from({ length: Number(to.slice(1)) - first + 1 }, (_, index) => `${from[0]}${first + index}`);
  });
}

test('a test names each row of docs/reliability.md, unless the row says why none can', () => {
  const lines = readFileSync(join(root, 'docs', 'reliability.md'), 'utf8').split('\n');
  const rows = lines
    .filter((line) => new RegExp(`^\\| ${row} \\|`).test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', , , reason]) => ({ name, reason }));
  expect(rows.length).toBeGreaterThan(100);
  const named = new Set(titles.flatMap(({ title }) => rowsOf(title)));
  expect(rows.filter(({ name, reason }) => !named.has(name) && !reason)).toEqual([]);
  expect([...named].filter((name) => !rows.some((one) => one.name === name))).toEqual([]);
});
