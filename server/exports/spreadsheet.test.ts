import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import papaparse from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lacks } from '#harness/programs.ts';
import { createRandom } from '#harness/random.ts';
import { writeCsv } from '#server/exports/csv.ts';

const run = promisify(execFile);
const separators = { comma: '44', semicolon: '59', tab: '9', all: '44/59/9' };
const isMissing = lacks('libreoffice');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-spreadsheet-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Sheet = { formulas: string[]; texts: string[] };

/** Opens CSV files in LibreOffice with one separator. Returns their formulas and texts of cells. */
async function open(separator: keyof typeof separators, files: Record<string, string>): Promise<Record<string, Sheet>> {
  const target = join(folder, separator);
  await mkdir(target, { recursive: true });
  const paths = await Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const path = join(folder, `${name}.csv`);
      await writeFile(path, text);
      return path;
    }),
  );
  // Quotes 34, UTF-8 76, from line 1. Formulas are evaluated.
  const filter = `--infilter=CSV:${separators[separator]},34,76,1`;
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const args = ['--headless', profile, '--convert-to', 'fods', filter, '--outdir', target, ...paths];
  await run('soffice', args, { timeout: 100_000 });
  const opened = Object.keys(files).map(async (name): Promise<[string, Sheet]> => {
    const xml = await readFile(join(target, `${name}.fods`), 'utf8');
    const cells = [...xml.matchAll(/<table:table-cell[^>]*value-type="string"[^>]*>(.*?)<\/table:table-cell>/gs)];
    return [
      name,
      {
        formulas: [...xml.matchAll(/table:formula="([^"]*)"/g)].map(([, formula = '']) => formula),
        texts: cells.map(([, inner = '']) =>
          inner.replace(/<text:(?:tab|line-break|s)[^>]*>/g, ' ').replace(/<[^>]*>/g, ''),
        ),
      },
    ];
  });
  return Object.fromEntries(await Promise.all(opened));
}

const starts = [
  '',
  'x;',
  'y,',
  'z\t',
  'a;"',
  'b,"',
  'c\n',
  'd;\n',
  'e\r\n',
  'f; ',
  'g;;',
  'h";',
  '"',
  '";"',
  "i;' ",
  'j\r',
];
const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1+1', '\r=1+1', '＝1+1'];
const chance = createRandom(5);
const pieces = ['=1+1', '+1', '"', '""', ';', ',', '\t', '\r', '\n', ' ', 'x', "'", '@A1'];
const random = Array.from({ length: 400 }, () =>
  Array.from({ length: 1 + chance.below(9) }, () => chance.of(pieces)).join(''),
);
const hostile = [...starts.flatMap((start) => formulas.map((formula) => `${start}${formula}`)), ...random];
const rows = hostile.map((text, index) => [index, text, 'Mozilla/5.0', hostile.at(-index) ?? '', text]);

async function asCsv(language: 'id' | 'en'): Promise<string> {
  let text = '';
  for await (const piece of writeCsv(['No', 'A', 'B', 'C', 'D'], rows, language)) text += piece;
  return text;
}

test.skipIf(isMissing).each(Object.keys(separators) as (keyof typeof separators)[])(
  'no text of a CSV is a formula in a spreadsheet that separates by %s',
  async (separator) => {
    const withoutUs = (delimiter: string) => papaparse.unparse(rows, { delimiter, escapeFormulae: true });
    const others = { semicolons: withoutUs(';'), commas: withoutUs(',') };
    const opened = await open(separator, { id: await asCsv('id'), en: await asCsv('en'), ...others });
    // The spreadsheet runs formulas: an apostrophe at the start of each text is not enough.
    expect([...(opened.semicolons?.formulas ?? []), ...(opened.commas?.formulas ?? [])]).toContain('of:=1+1');
    for (const language of ['id', 'en']) {
      const { formulas: found = [], texts = [] } = opened[language] ?? {};
      expect([language, found]).toEqual([language, []]);
      expect(texts.length).toBeGreaterThan(hostile.length);
      expect(texts.filter((text) => /^\s*(?:&quot;|")?\s*[=+\-@＝＋－＠]/u.test(text))).toEqual([]);
    }
  },
);
