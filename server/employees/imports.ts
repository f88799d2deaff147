import { createHash } from 'node:crypto';
import { byId, db, findRow, hasRows, type Rows, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/company-row.ts';
import { sql } from '#db/drizzle.cjs';
import { imports } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import { insertEmployees, isProtectedFrom } from '#server/employees/employees.ts';
import { findTextProblem } from '#server/notifications/field-rules.ts';
import type { Manager } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

/** A row of a list, from this line of the file. */
export type ImportRow = { line: number; name: string; role: string; staffNumber?: string };

// The employee whom a row of a list changes. `isProtected`: the manager may not change them.
type KnownPerson = Pick<Rows['employees'], 'name' | 'role' | 'staffNumber' | 'active'> & {
  employeeId: number;
  isProtected: boolean;
};

type RowField = 'name' | 'role' | 'staffNumber';

/** Why a row cannot be saved. `line`: the earlier row with the name, number or person. `protected`: only an owner may. */
type RowProblem =
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
  const first = new Map<string, number>();
  // Returns the earlier line that has this name, number or person.
  const take = (what: string, line: number): number | undefined => {
    const earlier = first.get(what);
    if (earlier === undefined) first.set(what, line);
    return earlier;
  };
  return rows.map((entry) => {
    const person = people.get(entry.line);
    const row = person ? { ...entry, name: entry.name || person.name, role: entry.role || person.role, person } : entry;
    const { line, name, role, staffNumber } = row;
    const problems = [...checkText('name', name), ...checkText('role', role)];
    if (staffNumber) problems.push(...checkText('staffNumber', staffNumber));
    if (problems.length > 0) return { ...row, problems };
    const number = staffNumber ? take(`number ${staffNumber}`, line) : undefined;
    if (number !== undefined) return { ...row, problems: [{ code: 'repeatedNumber', line: number }] };
    const earlier = take(`name ${name.normalize('NFC').replace(/\s+/g, ' ').toLowerCase()}`, line);
    if (person) return { ...row, problems: checkPerson(person, take(`person ${person.employeeId}`, line)) };
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

export const maxImportRows = 5000;

export const maxImportBodyBytes = 1024 * 1024;

export const importPath = '/owner/employees/import/previews';

/**
 * A list of employees to add or update. `adding`: a request saves it now. `added`: it is saved, and `rows` are those
 * with problems. By `effectsHash`, `applyImport` detects an outdated preview.
 */
export type EmployeeImport = {
  id: string;
  state: 'waiting' | 'adding' | 'added';
  added: number;
  changed: number;
  rows: CheckedRow[];
  effectsHash: string;
};

// PostgreSQL stores neither NUL nor lone surrogates. Their replacements are rejected later.
const asStorable = (text: string) => text.toWellFormed().replaceAll('\0', '\u{fffd}').trim();

const asStorableRow = ({ line, name, role, staffNumber }: ImportRow): ImportRow => ({
  line,
  name: asStorable(name),
  role: asStorable(role),
  ...(staffNumber !== undefined && { staffNumber: asStorable(staffNumber) }),
});

const asJson = (rows: ImportRow[]) => sql`${JSON.stringify(rows)}::text::jsonb`;

const selectImport = (manager: Manager, id: string, from?: Transaction) =>
  db(from)
    .select({ rows: imports.rows, added: imports.added, changed: imports.changed, appliedAt: imports.appliedAt })
    .from(imports)
    .where(byId(imports, manager, id));

/** Stores a list of 1 to 5,000 rows for its preview, without adding any. Returns the list's id. */
export async function createImport(manager: Manager, rows: ImportRow[]): Promise<string | 'too-many' | 'empty'> {
  if (rows.length > maxImportRows) return 'too-many';
  if (rows.length === 0) return 'empty';
  const storable = rows.map(asStorableRow);
  return withManager(manager, async (tx) => {
    const list = { companyId: manager.companyId, createdBy: manager.accountId, rows: storable };
    const { id } = await requireRow(db(tx).insert(imports).values(list).returning({ id: imports.id }));
    return id;
  });
}

/** A list of the owner's company, its rows checked against today's employees, or null. */
export async function findImport(manager: Manager, id: string): Promise<EmployeeImport | null> {
  const [list] = await selectImport(manager, id);
  if (!list) return null;
  const rows = checkRows(list.rows, ...(await findPeople(manager, list.rows)));
  const counts = { added: list.added ?? 0, changed: list.changed ?? 0 };
  const effectsHash = hashOfEffects(rows);
  if (list.appliedAt) return { id, state: 'added', ...counts, rows, effectsHash };
  // `applyImport` holds the lock of this row until it commits.
  const isList = byId(imports, manager, id);
  const lock = db().select({ id: imports.id }).from(imports).where(isList).for('key share', { skipLocked: true });
  const isUnlocked = await hasRows(lock);
  return { id, state: isUnlocked ? 'waiting' : 'adding', ...counts, rows, effectsHash };
}

async function findPeople(
  manager: Manager,
  rows: ImportRow[],
  from?: Transaction,
): Promise<[Map<number, number>, Map<number, KnownPerson>]> {
  // As text: the builder has no table of JSON.
  const namesakes = await db(from).execute<{ line: number; employeeId: number }>(sql`
    select n.line, min(e.id) as "employeeId"
    from jsonb_to_recordset(${asJson(rows)}) as n (line int, name text)
    join employees e on e.company_id = ${manager.companyId} and lower(e.name) = lower(n.name)
    group by n.line`);
  const matches = rows.some(({ staffNumber }) => staffNumber) ? await findMatches(manager, rows, from) : [];
  return [
    new Map(namesakes.map(({ line, employeeId }) => [line, employeeId])),
    new Map(matches.map(({ line, ...person }) => [line, person])),
  ];
}

// Whom each row with a staff number is about: who has the number; otherwise the only employee with
// the name, if they have no number yet. As text, for the same reason.
const findMatches = (manager: Manager, rows: ImportRow[], from?: Transaction) =>
  db(from).execute<KnownPerson & { line: number }>(sql`
    with numbered as (
      select * from jsonb_to_recordset(${asJson(rows)}) as n (line int, name text, "staffNumber" text)
      where "staffNumber" <> ''
    ), matched as (
      select n.line, e.id from numbered n
      join employees e on e.company_id = ${manager.companyId} and e.staff_number = n."staffNumber"
      union all
      select n.line, min(e.id) from numbered n
      join employees e on e.company_id = ${manager.companyId} and lower(e.name) = lower(n.name)
      where not exists (
        select from employees o where o.company_id = ${manager.companyId} and o.staff_number = n."staffNumber")
      group by n.line having count(*) = 1 and bool_and(e.staff_number is null)
    )
    select m.line, e.id as "employeeId", e.name, e.role, e.staff_number as "staffNumber", e.active,
      ${isProtectedFrom(manager)} as "isProtected"
    from matched m join employees e on e.company_id = ${manager.companyId} and e.id = m.id
    left join accounts on accounts.company_id = e.company_id and accounts.id = e.account_id`);

// Other rows without a staff number add somebody or have a problem, whatever changed meanwhile.
function hashOfEffects(rows: CheckedRow[]): string {
  const changeable = rows.filter((row) => row.staffNumber || isNamesake(row));
  const facts = changeable.map((row) => [row.line, effectOf(row), row.name, row.role, row.staffNumber, row.person]);
  return facts.length === 0 ? '' : createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

/**
 * Saves every row without a problem, all or none: adds people, and updates those whose staff number is known. With
 * `namesakes` it also adds rows whose name another person has. The others stay in the list. A second call returns the
 * same. Saves nothing when `effectsHash` is not that of now.
 */
export async function applyImport(
  manager: Manager,
  id: string,
  { effectsHash, namesakes = false }: { effectsHash?: string; namesakes?: boolean } = {},
): Promise<{ added: number; changed: number } | 'gone' | 'stale'> {
  return withManager(manager, async (tx) => {
    const list = await findRow(selectImport(manager, id, tx).for('update'));
    if (!list) return 'gone';
    if (list.appliedAt) return { added: list.added ?? 0, changed: list.changed ?? 0 };
    const checked = checkRows(list.rows, ...(await findPeople(manager, list.rows, tx)));
    if (effectsHash !== undefined && effectsHash !== hashOfEffects(checked)) return 'stale';
    const rowsOf = (effect: RowEffect) => checked.filter((row) => effectOf(row) === effect);
    const others = rowsOf('problem');
    const added = [...rowsOf('new'), ...others.filter((row) => namesakes && isNamesake(row))];
    const changing = rowsOf('changes');
    if (added.length + changing.length > 0) await saveRows(tx, manager, added, changing);
    const counts = { added: added.length, changed: changing.length };
    const left = others.filter((row) => !added.includes(row)).map(asStorableRow);
    const saved = { rows: left, ...counts, appliedAt: sql`now()` };
    await updateRows(db(tx), imports, { companyId: manager.companyId, id }, saved);
    return counts;
  });
}

async function saveRows(tx: PersonTransaction, manager: Manager, added: CheckedRow[], changing: CheckedRow[]) {
  const requestId = newRequestId();
  const counts = { count: added.length, ...(changing.length > 0 && { changed: changing.length }) };
  await recordAudit(tx, manager, 'employee.import', counts, requestId);
  if (added.length > 0) {
    const people = added.map(({ name, role, staffNumber }) => ({ name, role, staffNumber: staffNumber || null }));
    await insertEmployees(tx, manager, people, { requestId });
  }
  if (changing.length > 0) await updateEmployees(tx, manager, changing, requestId);
}

async function updateEmployees(tx: PersonTransaction, manager: Manager, rows: CheckedRow[], requestId: string) {
  const changes = rows.flatMap(({ name, role, staffNumber, person }) =>
    person ? [{ employeeId: person.employeeId, name, role, staffNumber: staffNumber || null, person }] : [],
  );
  // As text, for the same reason.
  await db(tx).execute(sql`
    update employees e set name = c.name, role = c.role, staff_number = c."staffNumber"
    from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb) as c ("employeeId" int, name text, role text, "staffNumber" text)
    where e.company_id = ${manager.companyId} and e.id = c."employeeId"`);
  const details = changes.map(({ person, ...now }) => ({
    ...now,
    was: { name: person.name, role: person.role, staffNumber: person.staffNumber },
  }));
  await recordAudit(tx, manager, 'employee.edit', details, requestId);
}
