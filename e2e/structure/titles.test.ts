import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { folder, hashOfPage, pages, takenFile } from '#e2e/pictures/pictures.ts';

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

const taken = JSON.parse(readFileSync(takenFile, 'utf8')) as Record<string, string>;

test('each picture shows its page as its files are now; otherwise run npm run pictures', () => {
  const now = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, hashOfPage(page)]));
  expect(taken).toEqual(now);
});

test('each picture stands in README.md or docs/design.md, and all of them are less than 1.2 MB', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const texts = `${read('README.md')}${read('docs/design.md')}`;
  const shown = [...texts.matchAll(/pictures\/([\w-]+)\.png/g)].map(([, name]) => name);
  expect(new Set(shown)).toEqual(new Set(Object.keys(pages)));
  const files = readdirSync(folder).filter((file) => file.endsWith('.png'));
  expect(files.map((file) => file.replace('.png', '')).sort()).toEqual(Object.keys(pages).sort());
  expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(1_200_000);
});

/** The texts of a file; `logged` are those of `log().warn(…, 'text')`, `….error(…, 'text')` and `logRepeats('warn', …, 'text')`. */
function listTexts(file: string): { texts: string[]; logged: string[] } {
  const [texts, logged]: [string[], string[]] = [[], []];
  const source = readFileSync(join(root, file), 'utf8');
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') texts.push(value);
    },
    TemplateElement({ value }) {
      texts.push(value.cooked ?? '');
    },
    CallExpression({ callee, arguments: given }) {
      const called = source.slice(callee.start, callee.end);
      const values = given.flatMap((one) =>
        one.type === 'Literal' && typeof one.value === 'string' ? [one.value] : [],
      );
      const isLog = /^log\(.*\)\s*\.(?:warn|error)$/s.test(called);
      const isRepeated = called === 'logRepeats' && ['warn', 'error'].includes(values[0] ?? '');
      if (isLog || isRepeated) logged.push(...values.slice(-1));
    },
  }).visit(parseSync(file, source).program);
  return { texts, logged };
}

test('the operations page has every warning and error of the log, and no other', () => {
  const files = ['app', 'db', 'platform', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = [...files, 'instrumentation.ts', 'proxy.ts'].filter((name) => /(?<!\.(?:test|d))\.tsx?$/.test(name));
  const found = sources.map(listTexts);
  const [texts, logged] = [found.flatMap((one) => one.texts), found.flatMap((one) => one.logged)];
  const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const [, table = ''] = /^### Every warning and error\n([\s\S]*?)^`requests get 503/m.exec(page) ?? [];
  const cells = table.split('\n').map((line) => /^\| (`.*?`) \| /.exec(line)?.[1] ?? '');
  const listed = cells
    .flatMap((cell) => cell.match(/(?<=`)[^`,]{2}[^`]*(?=`)/g) ?? [])
    .filter((text) => text !== 'msg');
  const isSame = (text: string, entry: string) =>
    entry.endsWith('…') ? text.startsWith(entry.slice(0, -1)) : text === entry;
  expect(logged.filter((text) => !listed.some((entry) => isSame(text, entry)))).toEqual([]);
  expect(listed.filter((entry) => !texts.some((text) => isSame(text, entry)))).toEqual([]);
});
