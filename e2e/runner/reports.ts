import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { count, failures, unsteady } from '#e2e/runner/outcome.ts';
import { root } from '#e2e/support/service/service.ts';

/** How a program of a step ended. `output` is empty where the program printed it itself. */
export type Ended = { code: number; output: string };

/** A test of a report. `message`: why it failed, or why the first try of one that passed did. */
type Reported = { file: string; title: string; outcome: 'passed' | 'failed' | 'skipped'; message: string };

/** Adds how a run of tests ended, and its report, to the outcome. */
export async function noteReport(
  step: string,
  report: string,
  ended: Ended,
  read: (file: string) => Promise<Reported[]>,
): Promise<void> {
  // A program that was killed has written no report.
  const tests = existsSync(report) ? await read(report) : [];
  for (const { file, title, outcome, message } of tests) {
    count[outcome] += 1;
    if (outcome !== 'failed' && message === '') continue;
    const lines = message.split('\n').slice(0, 12).join('\n    ');
    (outcome === 'failed' ? failures : unsteady).push(`${step}: ${file}: ${title}\n    ${lines}`);
  }
  // The error was outside of a test, or the program ended early. Only the output has the reason.
  if (ended.code === 0 || tests.some(({ outcome }) => outcome === 'failed')) return;
  count.failed += 1;
  failures.push(`${step}: no test failed, exit code ${ended.code}\n${reasonIn(ended.output)}`);
}

function reasonIn(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split('\n');
  const at = lines.findIndex((line) => line.includes('Unhandled Error'));
  const told = at < 0 ? lines.slice(-20) : lines.slice(at, at + 40);
  return told.map((line) => `    ${line}`).join('\n');
}

type VitestTest = { status: string; ancestorTitles: string[]; title: string; failureMessages: string[] };
type VitestFile = { name: string; status: string; message: string; assertionResults: VitestTest[] };

/** Reads the tests of a JSON report of Vitest. */
export async function readVitestReport(report: string): Promise<Reported[]> {
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as { testResults: VitestFile[] };
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.map((one): Reported => {
      const outcome = one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped';
      const title = [...one.ancestorTitles, one.title].join(' > ');
      return { file, title, outcome, message: one.failureMessages[0] ?? '' };
    });
    // A file that failed to load has no tests.
    const isLost = status === 'failed' && tests.every(({ outcome }) => outcome !== 'failed');
    return isLost ? [...tests, { file, title: 'the whole file', outcome: 'failed', message }] : tests;
  });
}

type Tried = { status: string; results: { errors: { message?: string }[] }[] };
type Suite = {
  title: string;
  file: string;
  suites?: Suite[];
  specs?: { title: string; ok: boolean; tests: Tried[] }[];
};

/** Reads the tests of a JSON report of Playwright. */
export async function readBrowserReport(report: string): Promise<Reported[]> {
  const read = ({ title, file, suites = [], specs = [] }: Suite, above: string[]): Reported[] => [
    ...specs.map((spec): Reported => {
      const isSkipped = spec.tests.every(({ status }) => status === 'skipped');
      const errors = spec.tests.flatMap(({ results }) => results.flatMap((one) => one.errors));
      return {
        file: join('e2e', file),
        title: [...above, title, spec.title].join(' > '),
        outcome: spec.ok ? (isSkipped ? 'skipped' : 'passed') : 'failed',
        // Playwright colours its messages. A timeout gives two errors: the timeout and the expectation.
        message: stripVTControlCharacters(errors.map(({ message }) => message).join('\n')),
      };
    }),
    ...suites.flatMap((suite) => read(suite, [...above, title])),
  ];
  const { suites } = JSON.parse(await readFile(report, 'utf8')) as { suites: Suite[] };
  return suites.flatMap((suite) => read(suite, []));
}
