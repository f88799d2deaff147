import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '#harness/service.ts';

/** A row of docs/reliability.md: something that comes in or breaks; `reason` says why nothing shows it, or is empty. */
export type Row = { name: string; what: string; holds: string; reason: string };

/** A test that ran, and whether it passed. */
export type Ran = { file: string; title: string; passed: boolean };

const letters = 'HMPABFUKELRTX';
const name = `[${letters}]\\d{1,2}`;
// "X7", "H3, H5", "L1–L5"
const names = new RegExp(`^${name}(?:(?:, |–)${name})*`);

// The beginning of a title, or the first cell of a table of cases.
const titleOrCell = /['"`]([A-Z]\d{1,2}[^'"`:\n]*:)|[[(]'([A-Z]\d{1,2}[^'\n]*)',/g;

/** All rows, in their order. */
export function listRows(): Row[] {
  const lines = readFileSync(join(root, 'docs', 'reliability.md'), 'utf8').split('\n');
  return lines
    .filter((line) => new RegExp(`^\\| ${name} \\|`).test(line))
    .map((line) => {
      const [, name = '', what = '', holds = '', reason = ''] = line.split('|').map((cell) => cell.trim());
      return { name, what, holds, reason };
    });
}

/** The rows that a title says it shows: `H3, L5–L7: …`; none of any other title. */
export function rowsOf(title: string): string[] {
  const said = names.exec(title)?.[0];
  if (!said || !/^(?::|$)/.test(title.slice(said.length))) return [];
  return said.split(', ').flatMap((part) => {
    const [from = '', to = from] = part.split('–');
    const first = Number(from.slice(1));
    return Array.from({ length: Number(to.slice(1)) - first + 1 }, (_, at) => `${from[0]}${first + at}`);
  });
}

/** The rows that are named in the tests' own text, with the files that do. */
export function listNamed(): Map<string, string[]> {
  const files = ['e2e', 'server', 'db', 'app', 'supply'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => /\.(?:test|spec)\.ts$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const found = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, title = '', cell = ''] of text.matchAll(titleOrCell))
      for (const row of rowsOf(title || cell))
        found.set(row, [...new Set([...(found.get(row) ?? []), relative(root, file)])]);
  }
  return found;
}

/** Writes each row with the tests that showed it in this run and how they ended; answers the rows that failed or had none. */
export async function writeRows(
  file: string,
  ran: Ran[],
): Promise<{ rows: number; failed: string[]; unseen: string[] }> {
  const rows = listRows();
  const failed: string[] = [];
  const unseen: string[] = [];
  const lines = rows.map(({ name, what, holds, reason }) => {
    const tests = ran.filter(({ title }) => title.split(' > ').some((part) => rowsOf(part).includes(name)));
    if (tests.some(({ passed }) => !passed)) failed.push(name);
    if (tests.length === 0 && reason === '') unseen.push(name);
    const files = [...new Set(tests.map(({ file }) => `\`${file}\``))].join(', ');
    const passed = tests.filter((one) => one.passed).length;
    return `| ${name} | ${what} | ${holds} | ${files || reason} | ${tests.length === 0 ? '' : `${passed} of ${tests.length}`} |`;
  });
  await writeFile(file, ['| Row | What | Holds | Tests | Passed |', '|---|---|---|---|---|', ...lines, ''].join('\n'));
  return { rows: rows.length, failed, unseen };
}

type VitestReport = {
  testResults: { name: string; assertionResults: { status: string; ancestorTitles: string[]; title: string }[] }[];
};

/** The tests of one of vitest's reports. */
export async function readVitestReport(file: string): Promise<Ran[]> {
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, ancestorTitles, title }) => ({
      file: relative(root, name),
      title: [...ancestorTitles, title].join(' > '),
      passed: status === 'passed',
    })),
  );
}

type Suite = { title: string; file: string; suites?: Suite[]; specs?: { title: string; ok: boolean }[] };

/** The tests of Playwright's report. */
export async function readBrowserReport(file: string): Promise<Ran[]> {
  const read = ({ title, file, suites = [], specs = [] }: Suite, above: string[]): Ran[] => [
    ...specs.map((spec) => ({
      file: join('e2e', file),
      title: [...above, title, spec.title].join(' > '),
      passed: spec.ok,
    })),
    ...suites.flatMap((suite) => read(suite, [...above, title])),
  ];
  const { suites } = JSON.parse(await readFile(file, 'utf8')) as { suites: Suite[] };
  return suites.flatMap((suite) => read(suite, []));
}
