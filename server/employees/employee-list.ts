import { type Fragment, hasRows, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { type Confirmation, lastConfirmation } from '#server/accounts/sessions/sessions.ts';
import type { ListedEmployee } from '#server/employees/employees.ts';
import { isProtectedFrom } from '#server/employees/employment.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';
import { wordsOf } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';

/** When a person's portal was last open, and whether its browser played sound. */
export type PortalVisit = Pick<Rows['portals'], 'seenAt'> & { sound: SoundState | null };

/**
 * An employee as an owner or manager sees one. `username` is null without an account,
 * `invitedUntil` without a valid invitation, `portal` before the first visit. `devices` counts the
 * push subscriptions. `isProtected`: who asks is a manager and may not change this employee.
 */
export type EmployeeSummary = ListedEmployee &
  Pick<Rows['employees'], 'staffNumber' | 'active'> & {
    addedAt: Date;
    username: string | null;
    isOwner: boolean;
    isManager: boolean;
    isProtected: boolean;
    invitedUntil: Date | null;
    portal: PortalVisit | null;
    devices: number;
  };

/**
 * Which employees; all conditions together. `search` is part of a name, role, username or staff
 * number in any case, or an id. `account`: with one (`own`), without one (`none`), and those with
 * (`invited`) or without (`uninvited`) a valid invitation. `portal`: `never` open, not open for 7
 * days (`away`), or without sound when last open (`silent`). `sort`: by name, or the newest first.
 */
export type EmployeeFilter = {
  search?: string;
  state?: 'active' | 'inactive';
  account?: 'own' | 'none' | 'invited' | 'uninvited';
  portal?: 'never' | 'away' | 'silent';
  sort?: 'new';
};

// The rows behind the one with the id `before` in the order of the list.
function isBehind({ companyId }: Manager, { sort }: EmployeeFilter, before: number | undefined) {
  if (!before) return always();
  return sort === 'new'
    ? sql()`e.id < ${before}`
    : sql()`(lower(e.name), e.id) > (select lower(name), id from employees where company_id = ${companyId} and id = ${before})`;
}

const always = () => sql()`true`;

// Each word is part of a name, role, username or staff number, or the whole search is the id. One
// subquery reads the usernames: a join would look up each employee's account.
function matchesSearch({ companyId }: Manager, search: string) {
  const contains = (column: Fragment, word: string) => sql()`strpos(lower(${column}), lower(${word})) > 0`;
  const words = wordsOf(search).reduce<Fragment>(
    (all, word) => sql()`${all} and (${contains(sql()`e.name`, word)} or ${contains(sql()`e.role`, word)}
      or ${contains(sql()`e.staff_number`, word)} or e.account_id in (
        select id from accounts where company_id = ${companyId} and ${contains(sql()`username`, word)}))`,
    sql()`true`,
  );
  return sql()`(${words} or e.id::text = ${search})`;
}

function matchesAccount(account: NonNullable<EmployeeFilter['account']>) {
  if (account === 'own') return sql()`e.account_id is not null`;
  if (account === 'none') return sql()`e.account_id is null`;
  return sql()`e.account_id is null and ${account === 'invited' ? sql()`` : sql()`not`} exists (
    select from invitations i
    where i.company_id = e.company_id and i.employee_id = e.id and i.used_at is null and i.expires_at > now())`;
}

// A page reads the visits of each of its few employees, a count all visits at once.
function matchesPortal(
  { companyId }: Manager,
  portal: NonNullable<EmployeeFilter['portal']>,
  purpose: 'page' | 'count',
) {
  const visits = sql()`from portals p where p.company_id = e.company_id and p.employee_id = e.id`;
  if (portal === 'never') return sql()`not exists (select ${visits})`;
  const away = sql()`seen_at < now() - interval '7 days'`;
  const silent = sql()`sound in ('click', 'muted', 'blocked', 'unsupported')`;
  if (purpose === 'count')
    return sql()`e.id in (
      select employee_id from (${selectLatestVisits(companyId)}) seen where ${portal === 'away' ? away : silent})`;
  return sql()`exists (
    select from (select seen_at, sound ${visits} order by seen_at desc limit 1) last
    where ${portal === 'away' ? away : silent})`;
}

/** A query of `employee_id`, `seen_at` and `sound`: each employee's latest portal visit. */
export const selectLatestVisits = (companyId: number) => sql()`
  select employee_id, max(seen_at) as seen_at, (array_agg(sound order by seen_at desc))[1] as sound
  from (select employee_id, seen_at, sound from portals where company_id = ${companyId}) visits group by employee_id`;

function matches(
  manager: Manager,
  { search, state, account, portal }: EmployeeFilter,
  purpose: 'page' | 'count' = 'page',
) {
  return sql()`e.company_id = ${manager.companyId}
    and ${search ? matchesSearch(manager, search) : always()}
    and ${state ? sql()`e.active = ${state === 'active'}` : always()}
    and ${account ? matchesAccount(account) : always()}
    and ${portal ? matchesPortal(manager, portal, purpose) : always()}`;
}

/** Counts the matching employees of the owner's company, all or those behind the one with the id `before`. */
export async function countEmployees(manager: Manager, filter: EmployeeFilter = {}, before?: number): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count
    from employees e
    where e.company_id = ${manager.companyId} and ${matches(manager, filter, 'count')} and ${isBehind(manager, filter, before)}`;
  return row?.count ?? 0;
}

/** Whether the owner or manager added themself as an employee. */
export async function isSelfListed(manager: Manager): Promise<boolean> {
  return hasRows(sql()`
    select 1 from employees where company_id = ${manager.companyId} and account_id = ${manager.accountId}`);
}

/** The matching employees, from A to Z or the newest first: up to `limit` behind the one with the id `before`. */
export async function listEmployees(
  manager: Manager,
  filter: EmployeeFilter = {},
  { before, limit = 50 }: { before?: number; limit?: number } = {},
): Promise<EmployeeSummary[]> {
  const condition = sql()`${matches(manager, filter)} and ${isBehind(manager, filter, before)}`;
  const order = filter.sort === 'new' ? sql()`e.id desc` : sql()`lower(e.name), e.id`;
  return listSummaries(manager, condition, limit, order);
}

async function listSummaries(
  manager: Manager,
  condition: Fragment,
  limit: number,
  order = sql()`e.id`,
): Promise<EmployeeSummary[]> {
  const rows = await sql()<(Omit<EmployeeSummary, 'portal'> & { seenAt: Date | null; sound: SoundState | null })[]>`
    with page as (
      select e.company_id, e.id, e.name, e.role, e.staff_number, e.active, e.created_at, a.username, a.is_owner, a.is_manager,
        ${isProtectedFrom(manager)} as is_protected
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${manager.companyId} and ${condition} order by ${order} limit ${limit}
    )
    select e.id, e.name, e.role, e.staff_number as "staffNumber", e.active, e.created_at as "addedAt", e.username,
      coalesce(e.is_owner, false) as "isOwner", coalesce(e.is_manager, false) as "isManager",
      e.is_protected as "isProtected", i.until as "invitedUntil", p.seen_at as "seenAt", p.sound,
      (select count(*)::int from push_subscriptions s
        join sessions held on held.company_id = s.company_id and held.id = s.session_id and held.expires_at > now()
        where s.company_id = e.company_id and s.employee_id = e.id) as devices
    from page e
    cross join lateral (
      select max(expires_at) as until from invitations
      where company_id = e.company_id and employee_id = e.id and used_at is null and expires_at > now()
    ) i
    left join lateral (
      select seen_at, sound from portals where company_id = e.company_id and employee_id = e.id
      order by seen_at desc limit 1
    ) p on true
    order by ${order}`;
  return rows.map(({ seenAt, sound, ...row }) => ({ ...row, portal: seenAt && { seenAt, sound } }));
}

/** All matching employees, the newest first, which needs no sorting of all; read in batches. */
export async function* iterateEmployees(manager: Manager, filter: EmployeeFilter): AsyncGenerator<EmployeeSummary> {
  const limit = 1000;
  const sorted = { ...filter, sort: 'new' as const };
  for (let page: EmployeeSummary[] | undefined; !page || page.length === limit; ) {
    page = await listEmployees(manager, sorted, { before: page?.at(-1)?.id, limit });
    yield* page;
  }
}

/** One employee with a portal visit per browser, the latest first, and a count of sessions. */
export type EmployeeRecord = EmployeeSummary & {
  portals: PortalVisit[];
  sessions: number;
  confirmation: Confirmation | null;
};

export async function findEmployee(manager: Manager, id: number): Promise<EmployeeRecord | null> {
  const isEmployee = sql()`e.company_id = ${manager.companyId} and e.id = ${id}`;
  const [[employee], portals, [account]] = await Promise.all([
    listSummaries(manager, isEmployee, 1),
    sql()<PortalVisit[]>`
      select seen_at as "seenAt", sound from portals
      where company_id = ${manager.companyId} and employee_id = ${id} order by seen_at desc`,
    sql()<Pick<EmployeeRecord, 'sessions' | 'confirmation'>[]>`
      select ${lastConfirmation()} as confirmation, (select count(*)::int from sessions s
          where s.company_id = a.company_id and s.account_id = a.id and s.expires_at > now()) as sessions
      from employees e join accounts a on a.company_id = e.company_id and a.id = e.account_id where ${isEmployee}`,
  ]);
  return employee ? { ...employee, portals: [...portals], sessions: 0, confirmation: null, ...account } : null;
}

const maxRoles = 200;

export async function listRoles({ companyId }: Manager): Promise<string[]> {
  const rows = await sql()<Pick<Rows['employees'], 'role'>[]>`
    select distinct role from employees where company_id = ${companyId} order by role limit ${maxRoles}`;
  return rows.map(({ role }) => role);
}
