import { sql } from '#db/client.ts';
import { asPattern, audience, hasRead } from '#server/audience.ts';
import type { RecipientState } from '#server/sends/states.ts';
import type { Owner } from '#server/session.ts';

/**
 * What one person did with one send. `readAt` is null also for what was read at a time nobody noted. A person who is not active
 * any more received it all the same.
 */
export type Recipient = {
  id: number;
  name: string;
  role: string;
  active: boolean;
  shownAt: Date | null;
  read: boolean;
  readAt: Date | null;
  confirmedAt: Date | null;
};

/** Which people of a send: in one state, or whose name holds these words (or whose id they are). */
export type RecipientFilter = { state?: RecipientState; search?: string };

const stateRules = {
  shown: () => sql()`r.shown_at is not null`,
  notShown: () => sql()`r.shown_at is null`,
  read: () => hasRead(),
  unread: () => sql()`not ${hasRead()}`,
  confirmed: () => sql()`r.confirmed_at is not null`,
  unconfirmed: () => sql()`r.confirmed_at is null`,
} as const;

/** The columns of a `Recipient` over `audience`. */
export const recipientColumns = () => sql()`
  e.id, e.name, e.role, e.active, r.shown_at as "shownAt", ${hasRead()} as read, r.confirmed_at as "confirmedAt",
  case when r.unread_at is null then coalesce(r.read_at, (
    select min(m.at) from read_marks m
    where m.company_id = e.company_id and m.employee_id = e.id and m.up_to >= n.no and n.no <= e.read_up_to
  )) end as "readAt"`;

/**
 * The people whom a send of the owner's company reached, by id: up to `limit` after person `after`, and whether there are more.
 * A send that does not exist, or reached nobody, has none.
 */
export async function listRecipients(
  owner: Owner,
  no: number,
  { after = 0, filter = {}, limit = 50 }: { after?: number; filter?: RecipientFilter; limit?: number } = {},
): Promise<{ people: Recipient[]; more: boolean }> {
  const { state, search } = filter;
  const nothing = sql()``;
  const id = /^\d{1,9}$/.test(search ?? '') ? Number(search) : 0;
  const rows = await sql()<Recipient[]>`
    select ${recipientColumns()} from ${audience()}
      and n.company_id = ${owner.companyId} and n.no = ${no} and reached.id > ${after}
      ${state ? sql()`and ${stateRules[state]()}` : nothing}
      ${search ? sql()`and (e.name ilike ${asPattern(search)} or e.id = ${id})` : nothing}
    order by e.id limit ${limit + 1}`;
  return { people: rows.slice(0, limit), more: rows.length > limit };
}
