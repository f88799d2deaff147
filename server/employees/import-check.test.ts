import { expect, test } from 'vitest';
import { checkRows, type ImportRow } from '#server/employees/import-check.ts';

const row = (line: number, name: string, role = 'Kasir', namesake?: boolean): ImportRow => ({
  ...{ line, name, role },
  ...(namesake ? { namesake } : {}),
});
const problemsOf = (rows: ImportRow[], known = new Map<number, number>()) =>
  checkRows(rows, known).map(({ problems }) => problems);

test('each row is told all that is wrong with it, lengths in code points', () => {
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
  ]);
});

test('of rows with the same name, in any case and spacing, the first stands unless the owner wants the other too', () => {
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

test('a row that cannot be added stands in nobody’s way', () => {
  expect(problemsOf([row(1, 'Uji', ''), row(2, 'Uji')])).toEqual([[{ code: 'missing', field: 'role' }], []]);
});

test('a name that is an employee’s already is pointed out, unless the owner wants a namesake', () => {
  const known = new Map([
    [1, 17],
    [2, 17],
  ]);
  expect(problemsOf([row(1, 'Uji'), row(2, 'Lain', 'x', true)], known)).toEqual([
    [{ code: 'known', employeeId: 17 }],
    [],
  ]);
});
