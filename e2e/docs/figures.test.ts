import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printedPage } from '#e2e/fixtures/printed.ts';
import english from '#messages/en.json' with { type: 'json' };
import indonesian from '#messages/id.json' with { type: 'json' };
import { type FailureCode, failures } from '#server/api/failures.ts';
import { requestsPerMinute } from '#server/api/rate-limit.ts';
import { bodyDeadlineMs, largestBodyBytes } from '#server/api/request.ts';
import { refusalDays } from '#server/companies/retention.ts';
import { generateKey, maxActiveKeys } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';

const pages = ['start', 'send', 'limits', 'retry', 'security', 'troubleshooting', 'changes'];
const languages = ['en', 'id'] as const;
const everyPage = languages.flatMap((language) => pages.map((page) => [page, language] as const));

// Columns of tables are padded in the files; that says nothing.
const readPage = async (page: string, language: 'en' | 'id') => (await printedPage(page, language)).replace(/ +/g, ' ');

test.each(languages)('limits (%s): the table of characters counts as the service does', async (language) => {
  const rows = [...(await readPage('limits', language)).matchAll(/^\| `(.+?)`.*\| (\d+) \| (\d+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, text = '', characters, bytes] of rows)
    expect([text, [...text].length, Buffer.byteLength(text)]).toEqual([text, Number(characters), Number(bytes)]);
});

test.each(languages)('the figures of the pages (%s) are those of the code', async (language) => {
  const say = (amount: number) => new Intl.NumberFormat(language === 'en' ? 'en-GB' : 'id-ID').format(amount);
  const word = (words: string, others: string) => (language === 'en' ? words : others);
  const { title, body, url } = draftLimits;
  const expected: Record<string, string[]> = {
    start: [word(`${generateKey().length - 4} letters and digits`, `${generateKey().length - 4} huruf dan angka`)],
    send: [
      word(`1 to ${title} characters`, `1 sampai ${title} karakter`),
      word(`1 to ${body} characters`, `1 sampai ${body} karakter`),
      word(`up to ${say(url)} characters`, `paling panjang ${say(url)} karakter`),
      ...kinds.map((kind) => `\`${kind}\``),
    ],
    limits: [
      word(`| ${requestsPerMinute} a minute |`, `| ${requestsPerMinute} per menit |`),
      ...[title, body, url].map((limit) => word(`| ${say(limit)} characters |`, `| ${say(limit)} karakter |`)),
      word(
        `${largestBodyBytes / 1024} KiB (${say(largestBodyBytes)} bytes)`,
        `${largestBodyBytes / 1024} KiB (${say(largestBodyBytes)} byte)`,
      ),
      word(`| ${bodyDeadlineMs / 1000} seconds |`, `| ${bodyDeadlineMs / 1000} detik |`),
      `| ${maxActiveKeys} |`,
    ],
    retry: [
      word('for 24 hours', 'Diingat 24 jam'),
      `${Math.ceil(500 / requestsPerMinute)} ${word('minutes', 'menit')}`,
    ],
    security: [
      `${maxActiveKeys} ${word('active keys', 'kunci aktif')}`,
      `${refusalDays[0]} ${word('to', 'sampai')} ${refusalDays.at(-1)} ${word('days', 'hari')}`,
    ],
    troubleshooting: [`\`, ${word('which must be', 'yang harus')} ${generateKey().length}`],
  };
  for (const [page, phrases] of Object.entries(expected)) {
    const text = await readPage(page, language);
    for (const phrase of phrases) expect(text, page).toContain(phrase);
  }
  const sends = await readFile(join(import.meta.dirname, '../../server/sends/send.ts'), 'utf8');
  expect(sends).toContain("interval '24 hours'");
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

// What stands in these quotes and is not ours: other programs, a name of a key, the title of a standard, a word of a table.
const otherNames = [
  ...['Using JSON', 'Using Fields Below', 'UTF-8 with BOM', 'CSV UTF-8', 'n8n gaji'],
  ...['RateLimit header fields for HTTP', 'form', 'formulir', 'no', 'tidak', 'perhaps', 'mungkin'],
];

test.each(everyPage)('%s (%s): what it says people press or open is named so there', async (page, language) => {
  const known = new Set([...textsOf(language === 'en' ? english : indonesian), ...otherNames]);
  const named = [...(await readPage(page, language)).matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
