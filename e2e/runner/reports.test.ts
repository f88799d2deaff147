import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { count, failures, unsteady } from '#e2e/runner/outcome.ts';
import { noteVitest } from '#e2e/runner/reports.ts';
import { root } from '#e2e/support/service/service.ts';

const testOf = (title: string, status: string, failureMessages: string[] = []) => ({
  ...{ ancestorTitles: [], title, fullName: title },
  ...{ status, failureMessages },
});

test('a test that passes at its second try counts, and is named as a defect to find', async () => {
  const report = join(await mkdtemp(join(tmpdir(), 'notif-report-')), 'report.json');
  const assertionResults = [
    testOf('one', 'passed', ['refused']),
    testOf('two', 'failed', ['wrong', 'wrong again']),
    testOf('three', 'passed'),
  ];
  const testResults = [
    { name: join(root, 'a.test.ts'), status: 'failed', message: '', assertionResults },
    { name: join(root, 'b.test.ts'), status: 'failed', message: 'no service', assertionResults: [] },
  ];
  await writeFile(report, JSON.stringify({ testResults }));
  await noteVitest('step', report, { code: 1, output: '' });
  expect(unsteady).toEqual(['step: a.test.ts: one\n    refused']);
  expect(failures).toEqual(['step: a.test.ts: two\n    wrong', 'step: b.test.ts: the whole file\n    no service']);
  expect(count).toEqual({ passed: 2, failed: 1, skipped: 0 });
});

test('a step that had to be ended, and so wrote no report, is a failure', async () => {
  const before = { ...count };
  await noteVitest('step', join(tmpdir(), 'notif-no-such-report.json'), { code: 1, output: 'it hung' });
  expect(failures.at(-1)).toContain('it hung');
  expect(count).toEqual({ ...before, failed: before.failed + 1 });
});
