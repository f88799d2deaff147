import { expect, test } from 'vitest';
import { listNamed, listRows, rowsOf } from '#e2e/runner/rows.ts';

test('every row of docs/reliability.md has a test, or says why not', () => {
  const named = listNamed();
  const bare = listRows().filter(({ name, reason }) => !named.has(name) && reason === '');
  expect(bare.map(({ name }) => name)).toEqual([]);
});

test('a row that a test names is in docs/reliability.md, once', () => {
  const rows = listRows().map(({ name }) => name);
  expect(new Set(rows).size).toBe(rows.length);
  expect([...listNamed()].filter(([name]) => !rows.includes(name))).toEqual([]);
});

test('a title names one row, several, or a range of them', () => {
  expect(rowsOf('X7: whole or not there')).toEqual(['X7']);
  expect(rowsOf('H3, L5–L7: refused')).toEqual(['H3', 'L5', 'L6', 'L7']);
  expect(rowsOf('P95 of what is measured: nothing')).toEqual([]);
  expect(rowsOf('a title like any other')).toEqual([]);
});
