import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listRows, rowsOf, writeRows } from '#e2e/runner/rows.ts';

test('a row is in docs/reliability.md once', () => {
  const rows = listRows().map(({ name }) => name);
  expect(new Set(rows).size).toBe(rows.length);
});

test('a title names one row, several, or a range of them', () => {
  expect(rowsOf('a send is whole or not there (X7)')).toEqual(['X7']);
  expect(rowsOf('refused (H3, L5–L7)')).toEqual(['H3', 'L5', 'L6', 'L7']);
  expect(rowsOf('a body in bad chunks is refused (B13)')).toEqual(['B13']);
  expect(rowsOf('P95 of what is measured: nothing')).toEqual([]);
  expect(rowsOf('a list that was paged (12)')).toEqual([]);
  expect(rowsOf('a title like any other')).toEqual([]);
});

test('a run says which rows failed, were skipped, have no test, or do not exist', async () => {
  const [first, second, third] = listRows().map(({ name }) => name);
  const file = join(await mkdtemp(join(tmpdir(), 'notif-rows-')), 'rows.md');
  const outcome = await writeRows(file, [
    { file: 'a.test.ts', title: `a group > one thing (${first})`, outcome: 'failed' },
    { file: 'a.test.ts', title: `another (${first})`, outcome: 'passed' },
    { file: 'b.test.ts', title: `a third (${second})`, outcome: 'skipped' },
    { file: 'b.test.ts', title: 'a fourth (X99)', outcome: 'passed' },
  ]);
  expect(outcome).toMatchObject({ failed: [first], notShown: [second], unknown: ['X99'] });
  expect(outcome.untested).toContain(third);
  expect(outcome.untested).not.toContain(first);
  expect(await readFile(file, 'utf8')).toContain('| `a.test.ts` | 1 of 2 |');
});
