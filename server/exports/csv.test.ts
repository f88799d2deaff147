import { expect, test } from 'vitest';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';

async function write(rows: CsvRow[], language: 'id' | 'en'): Promise<string> {
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

test('a formula after a line break, a blank or in full width is escaped too', async () => {
  for (const hostile of ['=1+1\nx', '\n=1+1', ' =1+1', '＝1+1', '=1\u2028x'])
    expect(await write([[hostile, 0]], 'en')).toContain(
      `"'${hostile}"`.replaceAll('"', hostile.includes('\n') ? '"' : ''),
    );
});
