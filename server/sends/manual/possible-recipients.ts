import { db, findRow, hasRows, isAnyOf } from '#db/client.ts';
import { and, desc, eq, ne, sql } from '#db/drizzle.cjs';
import { employees } from '#db/schema/tables.ts';
import { containsWords } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';

/** An employee in the list of possible recipients; an inactive one would receive nothing. */
export type PossibleRecipient = Awaited<ReturnType<typeof findPeople>>[number];

const maxFound = 20;

const { id, name, role, active } = employees;
const found = { id, name, role, active };

/** Up to 20 employees, active first: each word is in the name or role, or `words` is the id. */
export async function listPossibleRecipients({ companyId }: Manager, words: string): Promise<PossibleRecipient[]> {
  const wanted = /^\d{1,9}$/.test(words) ? Number(words) : 0;
  const inCompany = eq(employees.companyId, companyId);
  const areOthers = and(inCompany, ne(id, wanted), containsWords(words, [name, role]));
  const others = db().select(found).from(employees).where(areOthers);
  // Without words an index has the first. With words, every employee is read and sorted.
  const candidates = words === '' ? others.orderBy(desc(active), name, id).limit(maxFound) : others;
  // As text: the builder has no `materialized`.
  return db().execute<PossibleRecipient>(sql`
    with candidates as materialized ${candidates}
    select id, name, role, active from (
      select id, name, role, active from employees where company_id = ${companyId} and id = ${wanted}
      union all select * from candidates
    ) found order by id <> ${wanted}, active desc, name, id limit ${maxFound}`);
}

export const findPossibleRecipient = (manager: Manager, id: number) => findRow(findPeople(manager, [id]));

/** A role that employees have now, and how many of them are active and inactive. */
export type RoleCount = Awaited<ReturnType<typeof countRoles>>[number];

/** The roles of the company's employees, those of most active people first, up to 500. */
export async function countRoles({ companyId }: Manager) {
  const activeCount = sql<number>`count(*) filter (where ${active})::int`.as('active');
  const inactive = sql<number>`count(*) filter (where not ${active})::int`;
  const ofCompany = eq(employees.companyId, companyId);
  const roles = db().select({ role, active: activeCount, inactive }).from(employees).where(ofCompany).groupBy(role);
  return roles.orderBy(desc(activeCount), role).limit(500);
}

/** The employees of the company with these ids, active first, by name; others are left out. */
export async function findPeople({ companyId }: Manager, ids: number[]) {
  const chosen = and(eq(employees.companyId, companyId), isAnyOf(id, ids));
  return db().select(found).from(employees).where(chosen).orderBy(desc(active), name, id);
}

/** Whether an employee of the company, active or not, has one of these roles now. */
export async function hasRole({ companyId }: Manager, roles: string[]): Promise<boolean> {
  const haveRole = and(eq(employees.companyId, companyId), isAnyOf(role, roles));
  return hasRows(db().select({ id }).from(employees).where(haveRole).limit(1));
}
