import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { reportFolder } from '#e2e/runner/environment.ts';
import { count, failures, ran, unsteady } from '#e2e/runner/outcome.ts';
import { readBrowserReport, readVitestReport } from '#e2e/runner/rows.ts';
import { root } from '#harness/service.ts';

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
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

/**
 * The test files during which an error happened outside of a test, in a run in which no test failed.
 * Empty without such an error.
 */
export async function filesWithLooseErrors(report: string, { code, output }: Ended): Promise<string[]> {
  if (code === 0) return [];
  const { numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8')) as VitestReport;
  if (numFailedTests > 0 || testResults.some(({ status }) => status === 'failed')) return [];
  const named = stripVTControlCharacters(output).matchAll(/This error originated in "([^"]+)" test file/g);
  return [...new Set([...named].map(([, file = '']) => file))];
}

/** Notes an error outside of a test that did not happen again. */
export function noteLooseError(step: string, { output }: Ended): void {
  unsteady.push(`${step}: an error outside of a test\n${reasonIn(output)}`);
}

/** Adds how a run of Vitest ended, and its report, to the outcome. */
export async function noteVitest(step: string, report: string, ended: Ended): Promise<void> {
  ran.push(...(await readVitestReport(report)));
  const result = JSON.parse(await readFile(report, 'utf8')) as VitestReport;
  for (const { name, status, message, assertionResults } of result.testResults) {
    // A file that failed to load has no tests.
    if (status === 'failed' && assertionResults.every((one) => one.status !== 'failed'))
      failures.push(describeFailure(step, name, 'the whole file', message));
    for (const { status, fullName, failureMessages } of assertionResults)
      if (failureMessages.length > 0)
        (status === 'failed' ? failures : unsteady).push(describeFailure(step, name, fullName, failureMessages[0]));
  }
  count.passed += result.numPassedTests;
  count.skipped += result.numPendingTests;
  noteEnd(step, result.numFailedTests, ended);
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
export async function noteBrowser(ended: Ended): Promise<void> {
  ran.push(...(await readBrowserReport(join(reportFolder, 'browser.json'))));
  const result = JSON.parse(await readFile(join(reportFolder, 'browser.json'), 'utf8')) as BrowserReport;
  for (const suite of result.suites) noteFailures(suite);
  count.passed += result.stats.expected + result.stats.flaky;
  count.skipped += result.stats.skipped;
  noteEnd('browser', result.stats.unexpected, ended);
}
