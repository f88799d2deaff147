import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '#e2e/support/service/service.ts';

/** A row of docs/reliability.md. `reason` says why no test shows it; it is empty when one must. */
export type Row = { name: string; what: string; holds: string; reason: string };

/** A test of this run and how it ended. `title` includes the titles of its groups. */
export type TestResult = { file: string; title: string; outcome: 'passed' | 'failed' | 'skipped' };

/** Rows that need a word at the end of a run, by name. `notShown`: all their tests were skipped. */
export type RowsOutcome = { rows: number; failed: string[]; notShown: string[]; untested: string[]; unknown: string[] };

const name = '[HMPABFUKELRTX]\\d{1,2}';
// "X7", "H3, H5", "L1–L5"
const names = `${name}(?:(?:, |–)${name})*`;
const atEnd = new RegExp(`\\((${names})\\)$`);

/** All rows of docs/reliability.md, in their order. */
function listRows(): Row[] {
  const lines = readFileSync(join(root, 'docs', 'reliability.md'), 'utf8').split('\n');
  return lines
    .filter((line) => new RegExp(`^\\| ${name} \\|`).test(line))
    .map((line) => {
      const [, name = '', what = '', holds = '', reason = ''] = line.split('|').map((cell) => cell.trim());
      return { name, what, holds, reason };
    });
}

/**
 * The rows that a title names in brackets at its end, as in `… (H3, L5–L7)`. Any other title names
 * none.
 */
function rowsOf(title: string): string[] {
  const named = atEnd.exec(title)?.[1];
  if (named === undefined) return [];
  return named.split(', ').flatMap((part) => {
    const [from = '', to = from] = part.split('–');
    const first = Number(from.slice(1));
    return Array.from({ length: Number(to.slice(1)) - first + 1 }, (_, at) => `${from[0]}${first + at}`);
  });
}

const rowsOfTest = ({ title }: TestResult) => title.split(' > ').flatMap(rowsOf);

/**
 * Writes a table of all rows with the tests of this run that show them. Returns the rows that no
 * test showed.
 */
export async function writeRows(file: string, results: TestResult[]): Promise<RowsOutcome> {
  const rows = listRows();
  const byRow = new Map<string, TestResult[]>();
  for (const result of results)
    for (const row of rowsOfTest(result)) byRow.set(row, [...(byRow.get(row) ?? []), result]);
  const lines = rows.map(({ name, what, holds, reason }) => {
    const tests = byRow.get(name) ?? [];
    const files = [...new Set(tests.map(({ file }) => `\`${file}\``))].join(', ');
    const passed = tests.filter(({ outcome }) => outcome === 'passed').length;
    const count = tests.length === 0 ? '' : `${passed} of ${tests.length}`;
    return `| ${name} | ${what} | ${holds} | ${files || reason} | ${count} |`;
  });
  await writeFile(file, ['| Row | What | Holds | Tests | Passed |', '|---|---|---|---|---|', ...lines, ''].join('\n'));

  const outcomesOf = (row: string) => (byRow.get(row) ?? []).map(({ outcome }) => outcome);
  const namesWhere = (matches: (outcomes: TestResult['outcome'][], row: Row) => boolean) =>
    rows.filter((row) => matches(outcomesOf(row.name), row)).map(({ name }) => name);
  return {
    rows: rows.length,
    failed: namesWhere((outcomes) => outcomes.includes('failed')),
    notShown: namesWhere((outcomes) => outcomes.length > 0 && outcomes.every((outcome) => outcome === 'skipped')),
    untested: namesWhere((outcomes, { reason }) => outcomes.length === 0 && reason === ''),
    unknown: [...byRow.keys()].filter((row) => !rows.some(({ name }) => name === row)),
  };
}
