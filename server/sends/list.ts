import { sql } from '#db/client.ts';
import { asPattern, audience, hasRead } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { Owner } from '#server/principals.ts';
import type { SendState } from '#server/sends/states.ts';

/** A send as the owner's list shows it. `sender` is the key's name, or with `byHand` the person's; null recipient: everyone. */
export type Send = {
  no: number;
  createdAt: Date;
  keyId: number | null;
  sender: string;
  byHand: boolean;
  recipientId: number | null;
  recipientName: string | null;
  title: string;
  kind: Kind;
  reach: number;
  mustConfirm: boolean;
  remindsNo: number | null;
  withdrawnAt: Date | null;
};

/** Which sends: of one key or by hand, of a kind, to an employee, of a day (`2026-11-21` in the company's zone), with these words. */
export type SendFilter = {
  keyId?: number;
  byHand?: boolean;
  kind?: Kind;
  employeeId?: number;
  day?: string;
  search?: string;
  state?: SendState;
};

/** A page of sends; `next` is the number from which the older ones follow, null at the end. */
export type SendPage = { sends: Send[]; next: number | null };

// A filter that hardly anything passes looks at so many sends for one page, then says how far it came.
const mostExamined = 20_000;
// To see whether all have read one may mean a look at everybody: so many looks at a person for one page.
const mostPeopleExamined = 300_000;

/**
 * The sends of the owner's company, newest first: up to `limit` with a number below `before`. A page may hold fewer although there
 * are older ones (`next` is set) when its filter had to pass over very many.
 */
export async function listSends(
  owner: Owner,
  { before, filter = {}, limit = 25 }: { before?: number; filter?: SendFilter; limit?: number } = {},
): Promise<SendPage> {
  const bounds = filter.day ? await numbersOf(owner, filter.day) : { above: 0, below: Number.MAX_SAFE_INTEGER };
  // What is sent in between would move the end of what was looked at.
  const below = before ?? (await newestOf(owner)) + 1;
  const place = { ...bounds, below: Math.min(below, bounds.below) };
  const byPeople = filter.state === 'unread' || filter.state === 'unconfirmed';
  const examined = byPeople ? await countAffordable(owner) : mostExamined;
  const sends = await sql()<Send[]>`
    with examined as ${byPeople ? sql()`materialized` : sql()`not materialized`} (
      ${candidates(owner, filter, place, examined)}
    ), found as materialized (
      select * from examined f where ${ruleOf(filter)} order by no desc limit ${limit + 1}
    )
    select n.no, n.created_at as "createdAt", n.key_id as "keyId", coalesce(k.name, a.name) as sender,
      n.account_id is not null as "byHand", n.recipient_id as "recipientId", e.name as "recipientName", n.title, n.kind, n.reach,
      n.must_confirm as "mustConfirm", n.reminds_no as "remindsNo", n.withdrawn_at as "withdrawnAt"
    from found n
    left join api_keys k on k.company_id = n.company_id and k.id = n.key_id
    left join accounts a on a.company_id = n.company_id and a.id = n.account_id
    left join employees e on e.company_id = n.company_id and e.id = n.recipient_id
    order by n.no desc`;
  const page = sends.slice(0, limit);
  if (sends.length > limit) return { sends: page, next: page.at(-1)?.no ?? null };
  const [last] = await sql()<{ no: number }[]>`
    select no from (${candidates(owner, filter, place, examined)}) f order by no desc offset ${examined - 1} limit 1`;
  return { sends: page, next: last?.no ?? null };
}

async function newestOf({ companyId }: Owner): Promise<number> {
  const [company] = await sql()<{ no: number }[]>`select last_no as no from companies where id = ${companyId}`;
  return company?.no ?? 0;
}

async function countAffordable({ companyId }: Owner): Promise<number> {
  const [company] = await sql()<{ active: number }[]>`
    select active_employees as active from companies where id = ${companyId}`;
  return Math.min(300, Math.max(3, Math.floor(mostPeopleExamined / Math.max(1, company?.active ?? 1))));
}

// The newest that an index can find: of one key, withdrawn ones, of one day, for one employee.
function candidates(
  owner: Owner,
  { keyId, employeeId, day, state }: SendFilter,
  { above, below }: Bounds,
  most: number,
) {
  const { companyId, timeZone } = owner;
  const nothing = sql()``;
  const startOf = (later: number) => sql()`(${day ?? null}::date + ${later}::int)::timestamp at time zone ${timeZone}`;
  const newest = (whose: ReturnType<typeof ruleOf>) => sql()`
    (select * from notifications n
    where n.company_id = ${companyId} and n.no < ${below} and n.no > ${above} ${whose}
      ${keyId ? sql()`and n.key_id = ${keyId}` : nothing}
      ${day ? sql()`and n.created_at >= ${startOf(0)} and n.created_at < ${startOf(1)}` : nothing}
      ${state === 'withdrawn' ? sql()`and n.withdrawn_no is not null` : nothing}
    order by n.no desc limit ${most})`;
  if (!employeeId) return newest(nothing);
  return sql()`select * from (
    ${newest(sql()`and n.recipient_id = ${employeeId}`)} union all ${newest(sql()`and n.recipient_id is null`)}
  ) either order by no desc limit ${most}`;
}

// What needs a look at each, as a condition over `examined f`.
function ruleOf({ byHand, kind, employeeId, search, state }: SendFilter) {
  const nothing = sql()``;
  const pattern = asPattern(search ?? '');
  const waits = (still: typeof nothing) => sql()`and f.withdrawn_at is null and exists (
    select from ${audience()} and n.company_id = f.company_id and n.no = f.no and e.active and ${still})`;
  return sql()`true
    ${byHand ? sql()`and f.account_id is not null` : nothing}
    ${kind ? sql()`and f.kind = ${kind}` : nothing}
    ${search ? sql()`and (f.title ilike ${pattern} or f.body ilike ${pattern})` : nothing}
    ${
      employeeId
        ? sql()`and f.reach > 0 and (f.recipient_id is not null or exists (
            select from employment s where s.company_id = f.company_id and s.employee_id = ${employeeId}
              and s.from_no < f.no and f.no <= coalesce(s.until_no, f.no)))`
        : nothing
    }
    ${state === 'unread' ? waits(sql()`not ${hasRead()}`) : nothing}
    ${state === 'unconfirmed' ? sql()`and f.must_confirm ${waits(sql()`r.confirmed_at is null`)}` : nothing}`;
}

type Bounds = { above: number; below: number };

/**
 * Between which numbers everything of a day lies. Numbers follow the time of the send but for the few seconds a statement may wait
 * for the company, and the audit log can be asked by time.
 */
async function numbersOf({ companyId, timeZone }: Owner, day: string): Promise<Bounds> {
  const [row] = await sql()<{ above: number | null; below: number | null }[]>`
    select (
      select (details->>'no')::bigint from audit_log
      where company_id = ${companyId} and action = 'notification.send'
        and at < ${day}::date::timestamp at time zone ${timeZone} - interval '10 s' order by at desc limit 1
    ) as above, (
      select (details->>'no')::bigint from audit_log
      where company_id = ${companyId} and action = 'notification.send'
        and at > (${day}::date + 1)::timestamp at time zone ${timeZone} + interval '10 s' order by at limit 1
    ) as below`;
  return { above: row?.above ?? 0, below: row?.below ?? Number.MAX_SAFE_INTEGER };
}
