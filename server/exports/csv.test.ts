import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { naughtyTexts } from '#e2e/support/data/naughty.ts';
import { createRandom } from '#e2e/support/data/random.ts';
import type { Language } from '#platform/language.ts';
import { type CsvRow, escapeFormulas, unescapeFormulas, writeCsv } from '#server/exports/csv.ts';

async function write(rows: CsvRow[], language: Language): Promise<string> {
  let text = '';
  for await (const piece of writeCsv(['Nama', 'Jumlah'], rows, language)) text += piece;
  return text;
}

test('CSV is safe against formulas, and opens in Excel as Indonesia sets it up', async () => {
  const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'aman', 'a;b', 'a"b', 'baris\ndua'];
  const text = await write(
    hostile.map((value) => [value, -5]),
    'id',
  );
  expect(text.startsWith('\u{feff}Nama;Jumlah\r\n')).toBe(true);
  for (const start of ['=', '+', '-', '@', '\t', '\r']) expect(text).not.toMatch(new RegExp(`[\\n;]"?\\${start}[^5]`));
  expect(text).toContain(`aman;-5\r\n"a;b";-5\r\n"a""b";-5\r\n"baris\ndua";-5\r\n`);
  expect(await write([['a,b', null]], 'en')).toBe('\u{feff}Nama,Jumlah\r\n"a,b",\r\n');
});

test.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', "x;'=1+1"],
  ['y,=1+1', "y,'=1+1"],
  ['y\t+1', "y\t'+1"],
  ['x|@A', "x|'@A"],
  ['x; "-1', 'x; "\'-1'],
  ['x\n=1', "x\n'=1"],
  ['\n=1+1', "'\n'=1+1"],
  [' =1+1', " '=1+1"],
  ['＝1+1', "'＝1+1"],
  ['\tx', "'\tx"],
  ['x;\rx', "x;'\rx"],
  ["'=1", "''=1"],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0)', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)'],
  ['a-b, c=d, +62 812', "a-b, c=d, '+62 812"],
  ['baris\ndua', 'baris\ndua'],
])('a cell cannot begin with a sign, whichever separator a spreadsheet uses: %j', async (text, escaped) => {
  expect(escapeFormulas(text)).toBe(escaped);
  expect(unescapeFormulas(escaped)).toBe(text);
  for (const [language, delimiter] of [
    ['id', ';'],
    ['en', ','],
  ] as const)
    expect(papaparse.parse((await write([[text, 0]], language)).slice(1), { delimiter }).data[1]).toEqual([
      escaped,
      '0',
    ]);
});

const formula = /^(?:[\s"“”]*[=+\-@＝＋－＠]|[\t\r\n])/u;

test('texts with signs, quotes and separators come back unchanged, and quickly (T19)', () => {
  const chance = createRandom(3);
  const pieces = ['=', '+', '-', '@', "'", '"', ';', ',', '\t', '\r', '\n', ' ', 'x', '1', '|', '＝'];
  const random = () => Array.from({ length: chance.below(10) }, () => chance.of(pieces)).join('');
  for (const text of [...naughtyTexts, ...Array.from({ length: 20_000 }, random)]) {
    expect(escapeFormulas(text)).not.toMatch(formula);
    expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
  }
  const startedAt = performance.now();
  for (const piece of [' ', ';', "'", '\t', '"', '='])
    expect(escapeFormulas(`;${piece.repeat(100_000)}=`)).toContain("'=");
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
