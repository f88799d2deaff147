import { sql } from '#db/client.ts';
import { asPattern, hasRead, reminderToAllConcerns } from '#server/notifications/audience.ts';
import type { Owner } from '#server/principals.ts';
import type { RecipientState } from '#server/sends/states.ts';

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
  const { companyId } = owner;
  const rows = await sql()<Recipient[]>`
    with n as materialized (
      select company_id, no, recipient_id, reminds_no, created_at from notifications
      where company_id = ${companyId} and no = ${no} and reach > 0
    )
    select * from (
      (${recipientOfOne(owner, no, after, filter)}) union all (${recipientsOfAll(owner, no, after, filter, limit + 1)})
    ) reached order by id limit ${limit + 1}`;
  return { people: rows.slice(0, limit), more: rows.length > limit };
}

function ruleOf({ state, search }: RecipientFilter) {
  const nothing = sql()``;
  const id = /^\d{1,9}$/.test(search ?? '') ? Number(search) : 0;
  return sql()`true ${state ? sql()`and ${stateRules[state]()}` : nothing}
    ${search ? sql()`and (e.name ilike ${asPattern(search)} or e.id = ${id})` : nothing}`;
}

const recipientOfOne = ({ companyId }: Owner, no: number, after: number, filter: RecipientFilter) => sql()`
  select ${recipientColumns()}
  from n
  join employees e on e.company_id = ${companyId} and e.id = n.recipient_id and e.id > ${after}
  left join receipts r on r.company_id = ${companyId} and r.employee_id = e.id and r.no = ${no}
  where ${ruleOf(filter)}`;

/**
 * Those of a send to everyone. All of them in their order: person by person, until the page is full. A part of them may be anywhere, so what
 * they did with it is read once for all.
 */
function recipientsOfAll({ companyId }: Owner, no: number, after: number, filter: RecipientFilter, limit: number) {
  const spans = sql()`select employee_id from employment
    where company_id = ${companyId} and employee_id > ${after} and from_no < ${no} and (until_no is null or until_no >= ${no})`;
  const receipt = sql()`select * from receipts where company_id = ${companyId} and no = ${no}`;
  const one = filter.state === undefined && filter.search === undefined;
  return one
    ? sql()`
      select ${recipientColumns()}
      from n
      cross join lateral (${spans} order by employee_id) s
      cross join lateral (select * from employees where company_id = ${companyId} and id = s.employee_id limit 1) e
      left join lateral (${receipt} and employee_id = s.employee_id limit 1) r on true
      where n.recipient_id is null and ${reminderToAllConcerns()}
      order by s.employee_id limit ${limit}`
    : sql()`
      with s as materialized (${spans}), r as materialized (${receipt} and employee_id > ${after})
      select ${recipientColumns()}
      from n cross join s
      join employees e on e.company_id = ${companyId} and e.id = s.employee_id
      left join r on r.employee_id = e.id
      where n.recipient_id is null and ${reminderToAllConcerns()} and ${ruleOf(filter)}
      order by e.id limit ${limit}`;
}
