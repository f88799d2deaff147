import { expect, test } from 'vitest';
import { listRows, rowsOf } from '#e2e/runner/rows.ts';

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
