import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printedPage } from '#e2e/support/http/printed.ts';
import { root } from '#e2e/support/service/service.ts';
import { type Language, languages } from '#platform/language.ts';
import { type FailureCode, failures } from '#server/api/failures.ts';

const pages = [
  'start',
  'send',
  'clients',
  'limits',
  'retry',
  'security',
  'troubleshooting',
  'questions',
  'bell',
  'changes',
];
const everyPage = languages.flatMap((language) => pages.map((page) => [page, language] as const));

// Columns of tables are padded with spaces in the files.
const readPage = async (page: string, language: Language) => (await printedPage(page, language)).replace(/ +/g, ' ');

test.each(languages)('limits (%s): the table of characters counts as the service does', async (language) => {
  const rows = [...(await readPage('limits', language)).matchAll(/^\| `(.+?)`.*\| (\d+) \| (\d+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, text = '', characters, bytes] of rows)
    expect([text, [...text].length, Buffer.byteLength(text)]).toEqual([text, Number(characters), Number(bytes)]);
});

test.each(everyPage)('%s (%s): every error it names exists and has the status it says', async (page, language) => {
  const text = await readPage(page, language);
  const codes = [...text.matchAll(/\/docs\/errors#(\w*)/g)].map(([, code]) => code);
  expect(codes.filter((code) => !Object.hasOwn(failures, code ?? ''))).toEqual([]);
  for (const [, status, code] of text.matchAll(/\b(\d{3}) \[[\w ]+\]\(\/docs\/errors#(\w+)\)/g))
    expect([code, failures[code as FailureCode].status]).toEqual([code, Number(status)]);
});

type Messages = { [name: string]: string | Messages };

const textsOf = (messages: Messages): string[] =>
  Object.values(messages).flatMap((value) => (typeof value === 'string' ? value : textsOf(value)));

// Quoted names that are not in our interface: other programs, a key, the title of a standard, words
// of a table.
const otherNames = [
  'Using JSON',
  'Using Fields Below',
  'UTF-8 with BOM',
  'CSV UTF-8',
  'n8n gaji',
  'RateLimit header fields for HTTP',
  'form',
  'formulir',
  'no',
  'tidak',
  'perhaps',
  'mungkin',
];

test.each(everyPage)(
  '%s (%s): the buttons and pages it names have these names in the interface',
  async (page, language) => {
    const messages = JSON.parse(readFileSync(join(root, 'messages', language, 'icu', 'pages.json'), 'utf8'));
    const known = new Set([...textsOf(messages), ...otherNames]);
    const named = [...(await readPage(page, language)).matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  },
);

const listPages = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name));

const folders = 'app|bench|bin|db|deploy|docs|e2e|messages|platform|public|release|server';
const path = new RegExp(`(?<=[\`(])(?:${folders})/[\\w./-]+(?=[\`)])`, 'g');

test.each(['.', 'docs', 'docs/decisions'].flatMap(listPages))('every file that %s names exists', (page) => {
  const named = readFileSync(join(root, page), 'utf8').match(path) ?? [];
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});
