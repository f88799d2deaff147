import { and, eq, sql as expression } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { imports } from '#db/schema.ts';
import { recordAudit } from '#server/audit/record.ts';
import { lockCompany } from '#server/employees/employees.ts';
import { type CheckedRow, checkRows, type ImportRow } from '#server/employees/import-check.ts';
import type { Owner } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

/** How many rows one list may have. */
export const mostImportRows = 5000;

/**
 * A list on its way in. While it is `waiting`, `rows` is all of it; while it is being added somewhere, `adding`; once `added`,
 * `rows` are those that were left out and `added` counts the others.
 */
export type EmployeeImport = {
  id: string;
  state: 'waiting' | 'adding' | 'added';
  added: number;
  rows: CheckedRow[];
};

// PostgreSQL stores neither NUL nor lone surrogates; what they become is pointed out as unreadable.
const asStorable = (text: string) => text.toWellFormed().replaceAll('\0', '\u{fffd}').trim();

const one = (owner: Owner, id: string) => and(eq(imports.companyId, owner.companyId), eq(imports.id, id));

/** Keeps a list of 1 to 5,000 rows for its preview; nothing is added yet. Returns its id. */
export async function createImport(
  owner: Owner,
  rows: { line: number; name: string; role: string }[],
): Promise<string | 'too-many' | 'empty'> {
  if (rows.length > mostImportRows) return 'too-many';
  if (rows.length === 0) return 'empty';
  const stored = rows.map(({ line, name, role }) => ({ line, name: asStorable(name), role: asStorable(role) }));
  const [kept] = await db()
    .insert(imports)
    .values({ companyId: owner.companyId, createdBy: owner.accountId, rows: stored })
    .returning({ id: imports.id });
  if (!kept) throw new Error('the list was not kept');
  return kept.id;
}

/** Whether there is such a list of the owner's company. */
export async function hasImport(owner: Owner, id: string): Promise<boolean> {
  return (await db().select({ id: imports.id }).from(imports).where(one(owner, id))).length > 0;
}

/** A list of the owner's company with each row's problems as of now, or null. */
export async function findImport(owner: Owner, id: string): Promise<EmployeeImport | null> {
  const [found] = await db().select().from(imports).where(one(owner, id));
  if (!found) return null;
  const rows = await check(db(), owner, found.rows);
  if (found.appliedAt) return { id, state: 'added', added: found.added ?? 0, rows };
  // Whoever adds it holds the row until all of it is there.
  const free = await sql()`
    select 1 from imports where company_id = ${owner.companyId} and id = ${id} for key share skip locked`;
  return { id, state: free.length > 0 ? 'waiting' : 'adding', added: 0, rows };
}

async function check(database: Database, owner: Owner, rows: ImportRow[]): Promise<CheckedRow[]> {
  const names = JSON.stringify(rows.map(({ line, name }) => ({ line, name })));
  const known = (await database.execute(expression`
    select n.line, min(e.id) as id
    from jsonb_to_recordset(${names}::text::jsonb) as n (line int, name text)
    join employees e on e.company_id = ${owner.companyId} and lower(e.name) = lower(n.name)
    group by n.line`)) as unknown as { line: number; id: number }[];
  return checkRows(rows, new Map(known.map(({ line, id }) => [line, id])));
}

/** Corrects one row of a list that was not added yet, or says that its namesake is somebody else. */
export async function fixImportRow(
  owner: Owner,
  id: string,
  { line, name, role, namesake }: ImportRow,
): Promise<'fixed' | 'gone'> {
  return db().transaction(async (transaction) => {
    const [found] = await transaction.select().from(imports).where(one(owner, id)).for('update');
    if (!found || found.appliedAt || !found.rows.some((row) => row.line === line)) return 'gone';
    const fixed = { line, name: asStorable(name), role: asStorable(role), ...(namesake ? { namesake } : {}) };
    const rows = found.rows.map((row) => (row.line === line ? fixed : row));
    await transaction.update(imports).set({ rows }).where(one(owner, id));
    return 'fixed';
  });
}

/**
 * Adds every row without a problem as an active employee, all or none, and keeps the others as left out. They receive what is
 * sent from now on. Adding twice, also at the same moment, adds once and answers the same.
 */
export async function applyImport(owner: Owner, id: string): Promise<{ added: number } | 'gone'> {
  return db().transaction(async (transaction) => {
    const [found] = await transaction.select().from(imports).where(one(owner, id)).for('update');
    if (!found) return 'gone';
    if (found.appliedAt) return { added: found.added ?? 0 };
    const checked = await check(transaction, owner, found.rows);
    const ready = checked.filter(({ problems }) => problems.length === 0);
    const rows = checked.filter(({ problems }) => problems.length > 0).map(({ problems: _, ...row }) => row);
    const added = ready.length;
    if (added > 0) await addEmployees(transaction, owner, ready);
    await transaction.update(imports).set({ rows, added, appliedAt: expression`now()` }).where(one(owner, id));
    return { added };
  });
}

async function addEmployees(database: Database, owner: Owner, rows: ImportRow[]): Promise<void> {
  const requestId = newRequestId();
  const people = JSON.stringify(rows.map(({ line, name, role }) => ({ line, name, role })));
  const fromNo = await lockCompany(database, owner, rows.length);
  await recordAudit(database, owner, 'employee.import', { count: rows.length }, requestId);
  await database.execute(expression`
    with added as (
      insert into employees (company_id, name, role)
      select ${owner.companyId}, name, role
      from jsonb_to_recordset(${people}::text::jsonb) as p (line int, name text, role text) order by line
      returning id, name, role
    ), spans as (
      insert into employment (company_id, employee_id, from_no) select ${owner.companyId}, id, ${fromNo}::bigint from added
    )
    insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, employee_id)
    select ${owner.companyId}, 'account', ${owner.accountId}::int, ${owner.name}, 'employee.add',
      jsonb_build_object('employeeId', id, 'name', name, 'role', role), ${requestId}, id
    from added order by id`);
}
