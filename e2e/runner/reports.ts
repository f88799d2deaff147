import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { count, failures, ran, unsteady } from '#e2e/runner/outcome.ts';
import { readBrowserReport, readVitestReport } from '#e2e/runner/rows.ts';
import { root } from '#e2e/support/service/service.ts';

type VitestReport = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

function describeFailure(step: string, file: string, title: string, message = ''): string {
  return `${step}: ${relative(root, file)}: ${title}\n    ${message.split('\n').slice(0, 12).join('\n    ')}`;
}

/** How a program of a step ended. `output` is empty where the program printed it itself. */
export type Ended = { code: number; output: string };

// Counts a run that failed though no test did: an error outside of a test, or an end before the
// last test. Its reason is in the output only.
function noteEnd(step: string, failed: number, { code, output }: Ended): void {
  count.failed += Math.max(failed, code === 0 ? 0 : 1);
  if (code !== 0 && failed === 0) failures.push(`${step}: no test failed, exit code ${code}\n${reasonIn(output)}`);
}

function reasonIn(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split('\n');
  const at = lines.findIndex((line) => line.includes('Unhandled Error'));
  const told = at < 0 ? lines.slice(-20) : lines.slice(at, at + 40);
  return told.map((line) => `    ${line}`).join('\n');
}

async function readReport(file: string): Promise<VitestReport> {
  return JSON.parse(await readFile(file, 'utf8')) as VitestReport;
}

type Failure = { id: string; file: string; text: string };

function failuresOf(step: string, { testResults }: VitestReport): Failure[] {
  return testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    const found = failed.map(({ fullName, failureMessages }) => ({ title: fullName, message: failureMessages[0] }));
    // A file that failed to load has no tests.
    if (status === 'failed' && failed.length === 0) found.push({ title: 'the whole file', message });
    return found.map(({ title, message }) => ({
      id: `${file} ${title}`,
      file,
      text: describeFailure(step, file, title, message),
    }));
  });
}

/** Adds how a run of Vitest ended, and its report, to the outcome. */
export async function noteVitest(step: string, report: string, ended: Ended): Promise<void> {
  // A program that had to be ended has written none.
  if (!existsSync(report)) return noteEnd(step, 0, ended);
  ran.push(...(await readVitestReport(report)));
  const result = await readReport(report);
  failures.push(...failuresOf(step, result).map(({ text }) => text));
  const tests = result.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((one) => ({ file: name, ...one })),
  );
  for (const { status, file, fullName, failureMessages } of tests)
    if (status !== 'failed' && failureMessages.length > 0)
      unsteady.push(describeFailure(step, file, fullName, failureMessages[0]));
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const passed = tests.filter(({ status }) => status === 'passed').length;
  count.passed += passed;
  count.skipped += tests.length - passed - failed;
  noteEnd(step, failed, ended);
}

type Suite = { suites?: Suite[]; specs?: { title: string; file: string; ok: boolean; tests: Tried[] }[] };
type Tried = { results: { errors: { message?: string }[] }[] };
type BrowserReport = {
  suites: Suite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

function noteFailures({ suites = [], specs = [] }: Suite): void {
  for (const { ok, file, title, tests } of specs)
    if (!ok || messageOf(tests) !== '')
      (ok ? unsteady : failures).push(describeFailure('browser', join(root, 'e2e', file), title, messageOf(tests)));
  for (const suite of suites) noteFailures(suite);
}

// Playwright colours its messages. A timeout gives two errors: the timeout and the expectation.
function messageOf(tests: Tried[]): string {
  const errors = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
  return stripVTControlCharacters(errors.map(({ message }) => message).join('\n'));
}

/** Adds how a run of Playwright ended, and its report, to the outcome. */
export async function noteBrowser(report: string, ended: Ended): Promise<void> {
  if (!existsSync(report)) return noteEnd('browser', 0, ended);
  ran.push(...(await readBrowserReport(report)));
  const result = JSON.parse(await readFile(report, 'utf8')) as BrowserReport;
  for (const suite of result.suites) noteFailures(suite);
  count.passed += result.stats.expected + result.stats.flaky;
  count.skipped += result.stats.skipped;
  noteEnd('browser', result.stats.unexpected, ended);
}
