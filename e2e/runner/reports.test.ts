import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { count, failures, unsteady } from '#e2e/runner/outcome.ts';
import { filesToRepeat, noteVitest, takeSecondTry } from '#e2e/runner/reports.ts';
import { root } from '#harness/service.ts';

const inProject = (file: string) => join(root, file);

// Tests of a file by title, with their failure; a whole file that failed has no tests.
const file = (name: string, tests: Record<string, string | null>, message = '') => ({
  name: inProject(name),
  status: message || Object.values(tests).some(Boolean) ? 'failed' : 'passed',
  message,
  assertionResults: Object.entries(tests).map(([title, failure]) => ({
    status: failure ? 'failed' : 'passed',
    ancestorTitles: [],
    title,
    fullName: title,
    failureMessages: failure ? [failure] : [],
  })),
});

async function write(...testResults: ReturnType<typeof file>[]): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'notif-report-')), 'report.json');
  await writeFile(path, JSON.stringify({ testResults }));
  return path;
}

test('files with a failure are repeated, and those with an error outside of a test', async () => {
  const report = await write(
    file('a.test.ts', { one: 'refused', two: null }),
    file('b.test.ts', {}, 'no service'),
    file('c.test.ts', { three: null }),
    file('d.test.ts', { four: null }),
  );
  const output = 'Unhandled Error\nThis error originated in "d.test.ts" test file.';
  expect(await filesToRepeat(report, { code: 1, output })).toEqual(
    ['a', 'b', 'd'].map((one) => inProject(`${one}.test.ts`)),
  );
  expect(await filesToRepeat(report, { code: 0, output })).toEqual([]);
});

test('a step in which many files fail is not repeated', async () => {
  const report = await write(...Array.from({ length: 9 }, (_, at) => file(`${at}.test.ts`, { one: 'refused' })));
  expect(await filesToRepeat(report, { code: 1, output: '' })).toEqual([]);
});

test('a second try counts, and says what failed at the first one only', async () => {
  const report = await write(
    file('a.test.ts', { one: 'refused', two: 'wrong' }),
    file('b.test.ts', {}, 'no service'),
    file('c.test.ts', { three: null }),
  );
  const second = await write(file('a.test.ts', { one: null, two: 'wrong again' }), file('b.test.ts', { four: null }));
  Object.assign(count, { passed: 0, failed: 0, skipped: 0 });
  await takeSecondTry('step', report, second, { code: 1, output: '' });
  await noteVitest('step', report, { code: 1, output: '' });
  expect(unsteady).toEqual(['step: a.test.ts: one\n    refused', 'step: b.test.ts: the whole file\n    no service']);
  expect(failures).toEqual(['step: a.test.ts: two\n    wrong again']);
  expect(count).toEqual({ passed: 3, failed: 1, skipped: 0 });
});
