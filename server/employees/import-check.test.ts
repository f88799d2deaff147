import { expect, test } from 'vitest';
import { checkRows, type ImportRow } from '#server/employees/import-check.ts';

const row = (line: number, name: string, role = 'Kasir', namesake = false): ImportRow => ({
  line,
  name,
  role,
  namesake,
});
const problemsOf = (rows: ImportRow[], known = new Map<number, number>()) =>
  checkRows(rows, known).map(({ problems }) => problems);

test('each row has all its problems, with lengths in code points', () => {
  expect(
    problemsOf([
      row(1, 'Uji'),
      row(2, '', ''),
      row(3, '😀'.repeat(120), 'p'.repeat(60)),
      row(4, '😀'.repeat(121), 'p'.repeat(61)),
      row(5, '\u{200b} '),
      row(6, 'Uji\u{7} bel'),
      row(7, 'Ren\u{fffd}'),
      row(8, 'Uji\nbaris'),
      row(9, '12.'),
    ]),
  ).toEqual([
    [],
    [
      { code: 'missing', field: 'name' },
      { code: 'missing', field: 'role' },
    ],
    [],
    [
      { code: 'too_long', field: 'name', limit: 120, length: 121 },
      { code: 'too_long', field: 'role', limit: 60, length: 61 },
    ],
    [{ code: 'missing', field: 'name' }],
    [{ code: 'forbidden', field: 'name' }],
    [{ code: 'forbidden', field: 'name' }],
    [{ code: 'forbidden', field: 'name' }],
    [{ code: 'digits', field: 'name' }],
  ]);
});

test('of rows with one name, in any case and spacing, the first is valid, and accepted namesakes', () => {
  const rows = [
    row(1, 'Uji Satu'),
    row(2, 'UJI  satu'),
    row(3, 'uji satu', 'Sopir', true),
    row(4, '', 'x'),
    row(5, 'Uji Satu'),
  ];
  expect(problemsOf(rows)).toEqual([
    [],
    [{ code: 'repeated', line: 1 }],
    [],
    [{ code: 'missing', field: 'name' }],
    [{ code: 'repeated', line: 1 }],
  ]);
});

test('a row with another problem does not take the name', () => {
  expect(problemsOf([row(1, 'Uji', ''), row(2, 'Uji')])).toEqual([[{ code: 'missing', field: 'role' }], []]);
});

test('the name of an existing employee is a problem, unless it is an accepted namesake', () => {
  const known = new Map([
    [1, 17],
    [2, 17],
  ]);
  expect(problemsOf([row(1, 'Uji'), row(2, 'Lain', 'x', true)], known)).toEqual([
    [{ code: 'known', employeeId: 17 }],
    [],
  ]);
});
