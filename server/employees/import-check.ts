import type { Rows } from '#db/schema/rows.ts';
import { findTextProblem } from '#server/notifications/field-rules.ts';

/** A row of a list, from this line of the file. */
export type ImportRow = { line: number; name: string; role: string; staffNumber?: string };

/** The employee whom a row of a list changes. `isProtected`: the manager may not change them. */
export type KnownPerson = Pick<Rows['employees'], 'name' | 'role' | 'staffNumber' | 'active'> & {
  employeeId: number;
  isProtected: boolean;
};

export type RowField = 'name' | 'role' | 'staffNumber';

/** Why a row cannot be saved. `line`: the earlier row with the name, number or person. `protected`: only an owner may. */
export type RowProblem =
  | { code: 'missing' | 'forbidden' | 'digits'; field: RowField }
  | { code: 'too_long'; field: RowField; limit: number; length: number }
  | { code: 'repeated' | 'repeatedNumber' | 'repeatedPerson'; line: number }
  | { code: 'known'; employeeId: number }
  | { code: 'protected' };

/** A row with its problems. With a `person`, it changes them and keeps what its empty fields leave out; else it adds one. */
export type CheckedRow = ImportRow & { problems: RowProblem[]; person?: KnownPerson };

export type RowEffect = 'problem' | 'new' | 'changes' | 'same';

/** The maximum lengths of an employee's name, role and staff number, in characters. */
export const employeeLimits = { name: 120, role: 60, staffNumber: 40 } as const;

// U+FFFD stands for bytes that could not be decoded.
const unreadable = /[\p{Cc}\u{fffd}]/u;
// The column of row numbers was taken for that of names.
const onlyDigits = /^[\d\s.,()+-]+$/;

/**
 * Checks each row, also against the others. Names are compared without case and spacing; the first of a name is valid.
 * `namesakes`: other employees with the name of a line. `people`: the employees that a line changes.
 */
export function checkRows(
  rows: ImportRow[],
  namesakes: ReadonlyMap<number, number>,
  people: ReadonlyMap<number, KnownPerson> = new Map(),
): CheckedRow[] {
  const first = {
    name: new Map<string, number>(),
    number: new Map<string, number>(),
    person: new Map<string, number>(),
  };
  // Returns the earlier line that has the text.
  const take = (lines: Map<string, number>, text: string, line: number): number | undefined => {
    const earlier = lines.get(text);
    if (earlier === undefined) lines.set(text, line);
    return earlier;
  };
  return rows.map((entry) => {
    const person = people.get(entry.line);
    const row = person ? { ...entry, name: entry.name || person.name, role: entry.role || person.role, person } : entry;
    const { line, name, role, staffNumber } = row;
    const problems = [...checkText('name', name), ...checkText('role', role)];
    if (staffNumber) problems.push(...checkText('staffNumber', staffNumber));
    if (problems.length > 0) return { ...row, problems };
    const number = staffNumber ? take(first.number, staffNumber, line) : undefined;
    if (number !== undefined) return { ...row, problems: [{ code: 'repeatedNumber', line: number }] };
    const earlier = take(first.name, name.normalize('NFC').replace(/\s+/g, ' ').toLowerCase(), line);
    if (person) return { ...row, problems: checkPerson(person, take(first.person, String(person.employeeId), line)) };
    // A number of their own says that it is another person.
    return { ...row, problems: findNamesake(staffNumber ? undefined : earlier, namesakes.get(line)) };
  });
}

export function effectOf({ problems, person, name, role, staffNumber }: CheckedRow): RowEffect {
  if (problems.length > 0) return 'problem';
  if (!person) return 'new';
  const changes = name !== person.name || role !== person.role || (staffNumber || null) !== person.staffNumber;
  return changes ? 'changes' : 'same';
}

/** Whether a row has no problem but its name, which another person has: it may be a namesake. */
export const isNamesake = ({ problems }: CheckedRow): boolean =>
  problems.length > 0 && problems.every(({ code }) => code === 'repeated' || code === 'known');

function checkPerson({ isProtected }: KnownPerson, line: number | undefined): RowProblem[] {
  if (line !== undefined) return [{ code: 'repeatedPerson', line }];
  return isProtected ? [{ code: 'protected' }] : [];
}

function checkText(field: RowField, text: string): RowProblem[] {
  const problem = findTextProblem(text, employeeLimits[field]);
  if (problem?.code === 'blank') return [{ code: 'missing', field }];
  if (problem?.code === 'too_long') return [{ ...problem, code: 'too_long', field }];
  if (problem || unreadable.test(text)) return [{ code: 'forbidden', field }];
  return field === 'name' && onlyDigits.test(text) ? [{ code: 'digits', field }] : [];
}

function findNamesake(line: number | undefined, employeeId: number | undefined): RowProblem[] {
  if (line !== undefined) return [{ code: 'repeated', line }];
  return employeeId === undefined ? [] : [{ code: 'known', employeeId }];
}
