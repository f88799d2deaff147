import { sql } from '#db/client.ts';
import {
  andContainsWords,
  hasRead,
  isToSeveral,
  reminderToAllConcerns,
  selectSeveral,
} from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import type { RecipientState } from '#server/sends/history/states.ts';

/**
 * One person's receipt of one send. `readAt` may be null although `read` is true: the time is not
 * always known. `active` is today's state; an inactive employee received the send all the same.
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

/** Which people of a send; all conditions together. `search` is part of a name, or an id. */
export type RecipientFilter = { state?: RecipientState; search?: string };

const stateConditions = {
  shown: () => sql()`r.shown_at is not null`,
  notShown: () => sql()`r.shown_at is null`,
  read: () => hasRead(),
  unread: () => sql()`not ${hasRead()}`,
  confirmed: () => sql()`r.confirmed_at is not null`,
  unconfirmed: () => sql()`r.confirmed_at is null`,
} as const;

/**
 * When a person read a notification, over the tables of `audience`; null also when the time was not
 * recorded. Who reads one by one has a receipt. Who marked everything up to a number read has a
 * mark, and the first mark that covers the number is the earliest.
 */
export const readAt = () => sql()`
  case when r.unread_at is null then coalesce(r.read_at, (
    select m.at from read_marks m
    where m.company_id = e.company_id and m.employee_id = e.id and m.up_to >= n.no and n.no <= e.read_up_to
    order by m.up_to limit 1
  )) end`;

/** The columns of a `Recipient`, over the tables of `audience`. */
export const recipientColumns = () => sql()`
  e.id, e.name, e.role, e.active, r.shown_at as "shownAt", ${hasRead()} as read, r.confirmed_at as "confirmedAt",
  ${readAt()} as "readAt"`;

/**
 * The people whom a send of the owner's company reached, ordered by id: up to `limit` above id
 * `after`, and whether there are more. Empty for a send that does not exist.
 */
export async function listRecipients(
  manager: Manager,
  no: number,
  { after = 0, filter = {}, limit = 50 }: { after?: number; filter?: RecipientFilter; limit?: number } = {},
): Promise<{ people: Recipient[]; more: boolean }> {
  const { companyId } = manager;
  const rows = await sql()<Recipient[]>`
    with n as materialized (
      select company_id, no, recipient_id, reminds_no, created_at from notifications
      where company_id = ${companyId} and no = ${no} and reach > 0
    )
    select * from (
      (${selectOneRecipient(manager, no, after, filter)}) union all
      (${selectSeveralRecipients(manager, no, after, filter, limit + 1)}) union all (${selectBroadcastRecipients(manager, no, after, filter, limit + 1)})
    ) reached order by id limit ${limit + 1}`;
  return { people: rows.slice(0, limit), more: rows.length > limit };
}

const isUnfiltered = ({ state, search }: RecipientFilter) => state === undefined && search === undefined;

function filterCondition({ state, search }: RecipientFilter) {
  const nothing = sql()``;
  const id = /^\d{1,9}$/.test(search ?? '') ? Number(search) : 0;
  return sql()`true ${state ? sql()`and ${stateConditions[state]()}` : nothing}
    ${search ? sql()`and (e.id = ${id} or (true ${andContainsWords(search, [sql()`e.name`])}))` : nothing}`;
}

// A lateral query looks for one row by its whole key: with a plain join and old statistics, PostgreSQL
// reads all employees of the company.
const selectOneRecipient = ({ companyId }: Manager, no: number, after: number, filter: RecipientFilter) => sql()`
  select ${recipientColumns()}
  from n
  cross join lateral (
    select * from employees where company_id = ${companyId} and id = n.recipient_id and id > ${after} limit 1
  ) e
  left join receipts r on r.company_id = ${companyId} and r.employee_id = e.id and r.no = ${no}
  where ${filterCondition(filter)}`;

// Without a filter it joins only the people of the page.
const selectSeveralRecipients = (
  { companyId }: Manager,
  no: number,
  after: number,
  filter: RecipientFilter,
  limit: number,
) => sql()`
  select ${recipientColumns()}
  from n
  cross join lateral (
    select id from (${selectSeveral(sql()`${companyId}::int`, sql()`${no}::bigint`)}) reached
    where id > ${after} and exists (select from n where ${isToSeveral()})
    ${isUnfiltered(filter) ? sql()`order by id limit ${limit}` : sql()``}
  ) several
  join employees e on e.company_id = ${companyId} and e.id = several.id
  left join receipts r on r.company_id = ${companyId} and r.employee_id = e.id and r.no = ${no}
  where ${filterCondition(filter)}
  order by e.id limit ${limit}`;

/**
 * The recipients of a send to everyone. Without a filter it reads person by person until the page
 * is full. With a filter the matches may be anywhere, so it reads all receipts of the send at once.
 */
function selectBroadcastRecipients(
  { companyId }: Manager,
  no: number,
  after: number,
  filter: RecipientFilter,
  limit: number,
) {
  // The first condition keeps PostgreSQL from reading all periods for a send to somebody else.
  const periods = sql()`select employee_id from employment
    where exists (select from n where recipient_id is null) and company_id = ${companyId} and employee_id > ${after}
      and from_no < ${no} and (until_no is null or until_no >= ${no})`;
  const receipt = sql()`select * from receipts where company_id = ${companyId} and no = ${no}`;
  return isUnfiltered(filter)
    ? sql()`
      select ${recipientColumns()}
      from n
      cross join lateral (${periods} order by employee_id) s
      cross join lateral (select * from employees where company_id = ${companyId} and id = s.employee_id limit 1) e
      left join lateral (${receipt} and employee_id = s.employee_id limit 1) r on true
      where ${reminderToAllConcerns()}
      order by s.employee_id limit ${limit}`
    : sql()`
      with s as materialized (${periods}), r as materialized (${receipt} and employee_id > ${after})
      select ${recipientColumns()}
      from n cross join s
      join employees e on e.company_id = ${companyId} and e.id = s.employee_id
      left join r on r.employee_id = e.id
      where ${reminderToAllConcerns()} and ${filterCondition(filter)}
      order by e.id limit ${limit}`;
}
