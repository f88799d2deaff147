import { hasRows, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { andContainsWords } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';

/** An employee in the list of possible recipients; an inactive one would receive nothing. */
export type PossibleRecipient = Pick<Rows['employees'], 'id' | 'name' | 'role' | 'active'>;

const maxFound = 20;

/** Up to 20 employees, active first: each word is in the name or role, or `words` is the id. */
export async function listPossibleRecipients(manager: Manager, words: string): Promise<PossibleRecipient[]> {
  const { companyId } = manager;
  const id = /^\d{1,9}$/.test(words) ? Number(words) : 0;
  const isOther = sql()`company_id = ${companyId} and id <> ${id}`;
  // Without words an index has the first. With words, every employee is read and sorted.
  const candidates =
    words === ''
      ? sql()`select * from employees where ${isOther} order by active desc, name, id limit ${maxFound}`
      : sql()`select * from employees where ${isOther} ${andContainsWords(words, [sql()`name`, sql()`role`])}`;
  return sql()<PossibleRecipient[]>`
    with candidates as materialized (${candidates})
    select id, name, role, active from (
      select * from employees where company_id = ${companyId} and id = ${id} union all select * from candidates
    ) found order by id <> ${id}, active desc, name, id limit ${maxFound}`;
}

export async function findPossibleRecipient(manager: Manager, id: number): Promise<PossibleRecipient | null> {
  return (await findPeople(manager, [id]))[0] ?? null;
}

/** A role that employees have now, and how many of them are active and inactive. */
export type RoleCount = { role: Rows['employees']['role']; active: number; inactive: number };

const maxRolesListed = 500;

/** The roles of the company's employees, those of most active people first, up to 500. */
export async function countRoles({ companyId }: Manager): Promise<RoleCount[]> {
  return sql()<RoleCount[]>`
    select role, count(*) filter (where active)::int as active, count(*) filter (where not active)::int as inactive
    from employees where company_id = ${companyId} group by role
    order by active desc, role limit ${maxRolesListed}`;
}

/** The employees of the company with these ids, active first, by name; others are left out. */
export async function findPeople({ companyId }: Manager, ids: number[]): Promise<PossibleRecipient[]> {
  return sql()<PossibleRecipient[]>`
    select id, name, role, active from employees where company_id = ${companyId} and id = any(${ids}::int[])
    order by active desc, name, id`;
}

/** Whether an employee of the company, active or not, has one of these roles now. */
export async function hasRole({ companyId }: Manager, roles: string[]): Promise<boolean> {
  return hasRows(sql()`
    select from employees where company_id = ${companyId} and role = any(${roles}::text[]) limit 1`);
}
