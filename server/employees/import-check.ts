import { findTextProblem } from '#server/notifications/text-rules.ts';

/** A row of a list of employees; `line` is where it stood. `namesake`: wanted although the name is there already. */
export type ImportRow = { line: number; name: string; role: string; namesake?: boolean };

/** Why a row cannot be added as it is; lengths count code points. */
export type RowProblem =
  | { code: 'missing' | 'forbidden'; field: 'name' | 'role' }
  | { code: 'too_long'; field: 'name' | 'role'; limit: number; length: number }
  | { code: 'repeated'; line: number }
  | { code: 'known'; employeeId: number };

/** A row with what is wrong with it; without problems it is ready to be added. */
export type CheckedRow = ImportRow & { problems: RowProblem[] };

const limits = { name: 120, role: 60 } as const;

// What cannot be read stands for bytes that were lost on the way; control characters have no place in a name.
const unreadable = /[\p{Cc}\u{fffd}]/u;

/**
 * Checks every row by itself and against the others: names are the same in any case and spacing, and the first of them stands.
 * `known` tells, by line, which employee has that name already.
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
  const problem = findTextProblem(text, limits[field]);
  if (problem?.code === 'blank') return [{ code: 'missing', field }];
  if (problem?.code === 'too_long') return [{ ...problem, code: 'too_long', field }];
  return problem || unreadable.test(text) ? [{ code: 'forbidden', field }] : [];
}

function findNamesake(line: number | undefined, employeeId: number | undefined): RowProblem[] {
  if (line !== undefined) return [{ code: 'repeated', line }];
  return employeeId === undefined ? [] : [{ code: 'known', employeeId }];
}
