import { findTextProblem } from '#server/notifications/text-rules.ts';

/** A row of a list; `line` is its line in the file. `namesake` accepts a taken name. */
export type ImportRow = { line: number; name: string; role: string; namesake?: boolean };

/** Why a row cannot be added. `repeated`: `line` has the name; `known`: an employee has it. */
export type RowProblem =
  | { code: 'missing' | 'forbidden'; field: 'name' | 'role' }
  | { code: 'too_long'; field: 'name' | 'role'; limit: number; length: number }
  | { code: 'repeated'; line: number }
  | { code: 'known'; employeeId: number };

/** A row with its problems; without any it is ready to be added. */
export type CheckedRow = ImportRow & { problems: RowProblem[] };

/** The maximum lengths of an employee's name, role and staff number, in characters. */
export const employeeLimits = { name: 120, role: 60, staffNumber: 40 } as const;

// U+FFFD stands for bytes that could not be decoded.
const unreadable = /[\p{Cc}\u{fffd}]/u;

/**
 * Checks each row, also against the other rows. Names are compared without case and spacing; the
 * first row with a name is the valid one. `known` maps a line to the employee who has its name
 * already.
 */
export function checkRows(rows: ImportRow[], known: ReadonlyMap<number, number>): CheckedRow[] {
  const first = new Map<string, number>();
  return rows.map((row) => {
    const problems = [...checkText('name', row.name), ...checkText('role', row.role)];
    if (problems.length > 0) return { ...row, problems };
    const name = row.name.normalize('NFC').replace(/\s+/g, ' ').toLowerCase();
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, row.line);
    return { ...row, problems: row.namesake ? [] : findNamesake(earlier, known.get(row.line)) };
  });
}

function checkText(field: 'name' | 'role', text: string): RowProblem[] {
  const problem = findTextProblem(text, employeeLimits[field]);
  if (problem?.code === 'blank') return [{ code: 'missing', field }];
  if (problem?.code === 'too_long') return [{ ...problem, code: 'too_long', field }];
  return problem || unreadable.test(text) ? [{ code: 'forbidden', field }] : [];
}

function findNamesake(line: number | undefined, employeeId: number | undefined): RowProblem[] {
  if (line !== undefined) return [{ code: 'repeated', line }];
  return employeeId === undefined ? [] : [{ code: 'known', employeeId }];
}
