import { sql } from '#db/client.ts';
import { asPattern } from '#server/notifications/audience.ts';
import type { Owner } from '#server/principals.ts';

/** Somebody a notification can be sent to; one who is not active would not receive it. */
export type PossibleRecipient = { id: number; name: string; role: string; active: boolean };

const mostFound = 20;

/** Up to 20 employees of the owner's company whose name or role holds these words, or whose id they are; active ones first. */
export async function findRecipients(owner: Owner, words: string): Promise<PossibleRecipient[]> {
  const { companyId } = owner;
  const id = /^\d{1,9}$/.test(words) ? Number(words) : 0;
  const pattern = asPattern(words);
  const named = sql()`company_id = ${companyId} and id <> ${id}`;
  // The first by name are in an index; words may be anywhere, so everybody is looked at once, and only then put in order.
  const candidates =
    words === ''
      ? sql()`select * from employees where ${named} order by active desc, name, id limit ${mostFound}`
      : sql()`select * from employees where ${named} and (name ilike ${pattern} or role ilike ${pattern})`;
  return sql()<PossibleRecipient[]>`
    with candidates as materialized (${candidates})
    select id, name, role, active from (
      select * from employees where company_id = ${companyId} and id = ${id} union all select * from candidates
    ) found order by id <> ${id}, active desc, name, id limit ${mostFound}`;
}

/** One employee of the owner's company, or null. */
export async function findPossibleRecipient(owner: Owner, id: number): Promise<PossibleRecipient | null> {
  const [row] = await sql()<PossibleRecipient[]>`
    select id, name, role, active from employees where company_id = ${owner.companyId} and id = ${id}`;
  return row ?? null;
}

/** How many employees of the owner's company are active: whom a notification to everyone would reach now. */
export async function countActive(owner: Owner): Promise<number> {
  const [row] = await sql()<{ active: number }[]>`
    select active_employees as active from companies where id = ${owner.companyId}`;
  return row?.active ?? 0;
}
