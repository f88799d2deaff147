import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { changeActiveCount, type ListedEmployee } from '#server/employees/employees.ts';
import { type CheckedRow, checkRows, type ImportRow } from '#server/employees/import-check.ts';
import type { Manager } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

/** The most rows of one list. */
export const maxImportRows = 5000;

/** The largest body of a request with a list to import, in bytes. */
export const maxImportBodyBytes = 1024 * 1024;

/** The address that takes a list to import. */
export const importPath = '/owner/employees/import/previews';

/**
 * A list of employees to add. `waiting`: `rows` is the whole list. `adding`: a request is adding it
 * now. `added`: `added` rows became employees, and `rows` are the others.
 */
export type EmployeeImport = {
  id: string;
  state: 'waiting' | 'adding' | 'added';
  added: number;
  rows: CheckedRow[];
};

type StoredImport = { rows: ImportRow[]; added: number | null; appliedAt: Date | null };
type Namesake = { line: number; employeeId: number };

// PostgreSQL stores neither NUL nor lone surrogates. What replaces them is refused as unreadable.
const asStorable = (text: string) => text.toWellFormed().replaceAll('\0', '\u{fffd}').trim();

const asJson = (rows: ImportRow[]) => sql()`${JSON.stringify(rows)}::text::jsonb`;

const selectImport = (manager: Manager, id: string) => sql()<StoredImport[]>`
  select rows, added, applied_at as "appliedAt" from imports where company_id = ${manager.companyId} and id = ${id}`;

/** Stores a list of 1 to 5,000 rows for its preview, without adding any. Returns the list's id. */
export async function createImport(manager: Manager, rows: ImportRow[]): Promise<string | 'too-many' | 'empty'> {
  if (rows.length > maxImportRows) return 'too-many';
  if (rows.length === 0) return 'empty';
  const storable = rows.map(({ line, name, role }) => ({ line, name: asStorable(name), role: asStorable(role) }));
  const [stored] = await sql()<{ id: string }[]>`
    insert into imports (company_id, created_by, rows)
    values (${manager.companyId}, ${manager.accountId}, ${asJson(storable)}) returning id`;
  if (!stored) throw new Error('the list was not stored');
  return stored.id;
}

/** Whether the owner's company has such a list. */
export async function hasImport(manager: Manager, id: string): Promise<boolean> {
  return (await selectImport(manager, id)).length > 0;
}

/** A list of the owner's company, its rows checked against today's employees, or null. */
export async function findImport(manager: Manager, id: string): Promise<EmployeeImport | null> {
  const [found] = await selectImport(manager, id);
  if (!found) return null;
  const rows = checkImport(found.rows, await selectNamesakes(manager, found.rows));
  if (found.appliedAt) return { id, state: 'added', added: found.added ?? 0, rows };
  // `applyImport` holds the lock of this row until it commits.
  const unlocked = await sql()`
    select from imports where company_id = ${manager.companyId} and id = ${id} for key share skip locked`;
  return { id, state: unlocked.length > 0 ? 'waiting' : 'adding', added: 0, rows };
}

const selectNamesakes = (manager: Manager, rows: ImportRow[]) => sql()<Namesake[]>`
  select n.line, min(e.id) as "employeeId"
  from jsonb_to_recordset(${asJson(rows)}) as n (line int, name text)
  join employees e on e.company_id = ${manager.companyId} and lower(e.name) = lower(n.name)
  group by n.line`;

const checkImport = (rows: ImportRow[], namesakes: Namesake[]): CheckedRow[] =>
  checkRows(rows, new Map(namesakes.map(({ line, employeeId }) => [line, employeeId])));

/** Replaces one row of a list that was not added yet. */
export async function fixImportRow(
  manager: Manager,
  id: string,
  { line, name, role, namesake }: ImportRow,
): Promise<'fixed' | 'gone'> {
  return inTransaction(async (tx) => {
    const [found] = await tx<StoredImport[]>`${selectImport(manager, id)} for update`;
    if (!found || found.appliedAt || !found.rows.some((row) => row.line === line)) return 'gone';
    const fixed = { line, name: asStorable(name), role: asStorable(role), namesake };
    const rows = found.rows.map((row) => (row.line === line ? fixed : row));
    await tx`
      update imports set rows = ${asJson(rows)} where company_id = ${manager.companyId} and id = ${id}`;
    return 'fixed';
  });
}

/**
 * Adds every row without a problem as an active employee, all of them or none, and keeps the other
 * rows in the list. A second call, also a concurrent one, adds nothing and returns the same.
 */
export async function applyImport(manager: Manager, id: string): Promise<{ added: number } | 'gone'> {
  return inTransaction(async (tx) => {
    const [found] = await tx<StoredImport[]>`${selectImport(manager, id)} for update`;
    if (!found) return 'gone';
    if (found.appliedAt) return { added: found.added ?? 0 };
    const checked = checkImport(found.rows, await tx<Namesake[]>`${selectNamesakes(manager, found.rows)}`);
    const ready = checked.filter(({ problems }) => problems.length === 0);
    const others = checked.filter(({ problems }) => problems.length > 0).map(withoutProblems);
    if (ready.length > 0) await addEmployees(tx, manager, ready);
    await tx`
      update imports set rows = ${asJson(others)}, added = ${ready.length}, applied_at = now()
      where company_id = ${manager.companyId} and id = ${id}`;
    return { added: ready.length };
  });
}

const withoutProblems = ({ line, name, role, namesake }: CheckedRow): ImportRow => ({ line, name, role, namesake });

async function addEmployees(tx: Transaction, manager: Manager, rows: ImportRow[]): Promise<void> {
  const { companyId } = manager;
  const requestId = newRequestId();
  const fromNo = await changeActiveCount(tx, manager, rows.length);
  await recordAudit(tx, manager, 'employee.import', { count: rows.length }, requestId);
  const added = await tx<ListedEmployee[]>`
    with added as (
      insert into employees (company_id, name, role)
      select ${companyId}, name, role
      from jsonb_to_recordset(${asJson(rows)}) as p (line int, name text, role text) order by line
      returning id, name, role
    ), spans as (
      insert into employment (company_id, employee_id, from_no) select ${companyId}, id, ${fromNo}::bigint from added
    )
    select id, name, role from added order by id`;
  const details = added.map(({ id, name, role }) => ({ employeeId: id, name, role }));
  await recordAudits(tx, manager, 'employee.add', details, requestId);
}
