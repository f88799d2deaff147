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

/** Adds the exit code and the report of a run of Vitest to the outcome. */
export async function noteVitest(step: string, report: string, code: number): Promise<void> {
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
  count.failed += Math.max(result.numFailedTests, code === 0 ? 0 : 1);
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

/** Adds the exit code and the report of a run of Playwright to the outcome. */
export async function noteBrowser(code: number): Promise<void> {
  ran.push(...(await readBrowserReport(join(reportFolder, 'browser.json'))));
  const result = JSON.parse(await readFile(join(reportFolder, 'browser.json'), 'utf8')) as BrowserReport;
  for (const suite of result.suites) noteFailures(suite);
  count.passed += result.stats.expected + result.stats.flaky;
  count.skipped += result.stats.skipped;
  count.failed += Math.max(result.stats.unexpected, code === 0 ? 0 : 1);
}
