import { expect, test } from 'vitest';
import { checkRows, type ImportRow } from '#server/employees/import-check.ts';

const row = (line: number, name: string, role = 'Kasir', namesake = false) => ({ line, name, role, namesake });
const problemsOf = (rows: ImportRow[], known = new Map<number, number>()) =>
  checkRows(rows, known).map(({ problems }) => problems);

test('each row has all its problems, with lengths in code points', () => {
  const field = 'name';
  const tooLong = { code: 'too_long', field, limit: 120, length: 121 };
  const cases: [name: string, role: string, problems: object[]][] = [
    ['Uji', 'Kasir', []],
    [
      '',
      '',
      [
        { code: 'missing', field },
        { code: 'missing', field: 'role' },
      ],
    ],
    ['😀'.repeat(120), 'p'.repeat(60), []],
    ['😀'.repeat(121), 'p'.repeat(61), [tooLong, { code: 'too_long', field: 'role', limit: 60, length: 61 }]],
    ['\u{200b} ', 'Kasir', [{ code: 'missing', field }]],
    ['Uji\u{7} bel', 'Kasir', [{ code: 'forbidden', field }]],
    ['Ren\u{fffd}', 'Kasir', [{ code: 'forbidden', field }]],
    ['Uji\nbaris', 'Kasir', [{ code: 'forbidden', field }]],
    ['12.', 'Kasir', [{ code: 'digits', field }]],
  ];
  for (const [name, role, problems] of cases) expect(problemsOf([row(1, name, role)]), name).toEqual([problems]);
});

test('of rows with one name, in any case and spacing, the first is valid, and accepted namesakes', () => {
  const rows = [row(1, 'Uji Satu'), row(2, 'UJI  satu'), row(3, 'uji satu', 'Sopir', true), row(4, 'Uji Satu')];
  const repeated = [{ code: 'repeated', line: 1 }];
  expect(problemsOf(rows)).toEqual([[], repeated, [], repeated]);
});

test('a row with another problem does not take the name; one of an employee is free for a namesake', () => {
  expect(problemsOf([row(1, 'Uji', ''), row(2, 'Uji')])).toEqual([[{ code: 'missing', field: 'role' }], []]);
  const known = new Map([1, 2].map((line) => [line, 17]));
  const problems = problemsOf([row(1, 'Uji'), row(2, 'Lain', 'x', true)], known);
  expect(problems).toEqual([[{ code: 'known', employeeId: 17 }], []]);
});
