import { byId, countRows, db, matches, type Rows } from '#db/client.ts';
import {
  type AnyPgColumn,
  and,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  notExists,
  or,
  type SQL,
  sql,
} from '#db/drizzle.cjs';
import { accounts, employees, invitations, portals, pushSubscriptions, sessions } from '#db/schema/tables.ts';
import { type Confirmation, lastConfirmationOf } from '#server/accounts/sessions/sessions.ts';
import { isProtectedFrom } from '#server/employees/employees.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';
import { wordsOf } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';

/** When a person's portal was last open, and whether its browser played sound. */
export type PortalVisit = Pick<Rows['portals'], 'seenAt'> & { sound: SoundState | null };

/** `invitedUntil`: end of a valid invitation. `devices`: how many get pushes. `isProtected`: who asks may not change it. */
export type EmployeeSummary = Awaited<ReturnType<typeof listSummaries>>[number];

/**
 * Which employees; all conditions together. `search`: part of a name, role, username or staff number, or an id.
 * `portal`: never open, not for 7 days (`away`), or last without sound. `sort`: by name, or the newest first.
 */
export type EmployeeFilter = {
  search?: string;
  state?: 'active' | 'inactive';
  account?: 'own' | 'none' | 'invited' | 'uninvited';
  portal?: 'never' | 'away' | 'silent';
  sort?: 'new';
};

// The rows behind the one with the id `before` in the order of the list.
function isBehind({ companyId }: Manager, { sort }: EmployeeFilter, before: number | undefined): SQL | undefined {
  if (!before) return undefined;
  if (sort === 'new') return lt(employees.id, before);
  const { id, name } = employees;
  const ofLast = byId(employees, { companyId }, before);
  const order = { name: sql`lower(${name})`, id };
  const last = db().select(order).from(employees).where(ofLast);
  return sql`(lower(${employees.name}), ${employees.id}) > ${last}`;
}

// Each word is part of a name, role, username or staff number, or the whole search is the id. One
// subquery reads the usernames: a join would look up each employee's account.
function matchesSearch({ companyId }: Manager, search: string): SQL | undefined {
  const words = wordsOf(search).map((word) => {
    const contains = (column: AnyPgColumn) => sql`strpos(lower(${column}), lower(${word})) > 0`;
    const known = and(eq(accounts.companyId, companyId), contains(accounts.username));
    return or(
      ...[employees.name, employees.role, employees.staffNumber].map(contains),
      inArray(employees.accountId, db().select({ id: accounts.id }).from(accounts).where(known)),
    );
  });
  return or(and(sql`true`, ...words), sql`${employees.id}::text = ${search}`);
}

function matchesAccount(account: NonNullable<EmployeeFilter['account']>): SQL | undefined {
  if (account === 'own') return isNotNull(employees.accountId);
  if (account === 'none') return isNull(employees.accountId);
  const isOfEmployee = matches(invitations, { companyId: employees.companyId, employeeId: employees.id });
  const isValid = and(isOfEmployee, isNull(invitations.usedAt), gt(invitations.expiresAt, sql`now()`));
  const valid = db().select({ employeeId: invitations.employeeId }).from(invitations).where(isValid);
  return and(isNull(employees.accountId), account === 'invited' ? exists(valid) : notExists(valid));
}

// A page reads the visits of each of its few employees, a count all visits at once.
function matchesPortal(
  { companyId }: Manager,
  portal: NonNullable<EmployeeFilter['portal']>,
  purpose: 'page' | 'count',
): SQL {
  const areOfEmployee = matches(portals, { companyId: employees.companyId, employeeId: employees.id });
  const visits = db().select({ seenAt: portals.seenAt, sound: portals.sound }).from(portals).where(areOfEmployee);
  if (portal === 'never') return notExists(visits);
  const isMissing = ({ seenAt, sound }: Record<'seenAt' | 'sound', AnyPgColumn | SQL.Aliased>) =>
    portal === 'away'
      ? sql`${seenAt} < now() - interval '7 days'`
      : sql`${sound} in ('click', 'muted', 'blocked', 'unsupported')`;
  if (purpose === 'count') {
    const seen = selectLatestVisits(companyId).as('seen');
    return inArray(employees.id, db().select({ id: seen.employeeId }).from(seen).where(isMissing(seen)));
  }
  const last = visits.orderBy(desc(portals.seenAt)).limit(1).as('last');
  return exists(db().select({ seenAt: last.seenAt }).from(last).where(isMissing(last)));
}

export const selectLatestVisits = (companyId: number) =>
  db()
    .select({
      employeeId: portals.employeeId,
      seenAt: max(portals.seenAt).as('seen_at'),
      sound: sql<string | null>`(array_agg(${portals.sound} order by ${portals.seenAt} desc))[1]`.as('sound'),
    })
    .from(portals)
    .where(eq(portals.companyId, companyId))
    .groupBy(portals.employeeId);

const asCondition = (
  manager: Manager,
  { search, state, account, portal }: EmployeeFilter,
  purpose: 'page' | 'count' = 'page',
): SQL | undefined =>
  and(
    eq(employees.companyId, manager.companyId),
    search ? matchesSearch(manager, search) : undefined,
    state && eq(employees.active, state === 'active'),
    account && matchesAccount(account),
    portal && matchesPortal(manager, portal, purpose),
  );

/** Counts the matching employees of the owner's company, all or those behind the one with the id `before`. */
export async function countEmployees(manager: Manager, filter: EmployeeFilter = {}, before?: number): Promise<number> {
  const isCounted = and(asCondition(manager, filter, 'count'), isBehind(manager, filter, before));
  return db().$count(employees, and(eq(employees.companyId, manager.companyId), isCounted));
}

/** Whether the owner or manager added themself as an employee. */
export const isSelfListed = async ({ companyId, accountId }: Manager): Promise<boolean> =>
  (await countRows(db(), employees, { companyId, accountId })) > 0;

/** The matching employees, from A to Z or the newest first: up to `limit` behind the one with the id `before`. */
export async function listEmployees(
  manager: Manager,
  filter: EmployeeFilter = {},
  { before, limit = 50 }: { before?: number; limit?: number } = {},
): Promise<EmployeeSummary[]> {
  const condition = and(asCondition(manager, filter), isBehind(manager, filter, before));
  return listSummaries(manager, condition, limit, filter.sort);
}

async function listSummaries(manager: Manager, condition: SQL | undefined, limit: number, sort?: 'new') {
  const inOrder = ({ id, name }: Record<'id' | 'name', AnyPgColumn>) =>
    sort === 'new' ? [desc(id)] : [sql`lower(${name})`, id];
  const { companyId, id, name, role, staffNumber, active, createdAt: addedAt } = employees;
  const isOwner = sql<boolean>`coalesce(${accounts.isOwner}, false)`.as('is_owner');
  const isManager = sql<boolean>`coalesce(${accounts.isManager}, false)`.as('is_manager');
  const account = { username: accounts.username, isOwner, isManager };
  const isProtected = isProtectedFrom(manager).as('is_protected');
  const page = db()
    .select({ companyId, id, name, role, staffNumber, active, addedAt, ...account, isProtected })
    .from(employees)
    .leftJoin(accounts, byId(accounts, employees, employees.accountId))
    .where(and(eq(employees.companyId, manager.companyId), condition))
    .orderBy(...inOrder(employees))
    .limit(limit)
    .as('page');
  const isInvitation = matches(invitations, { companyId: page.companyId, employeeId: page.id });
  const invited = db()
    .select({ until: max(invitations.expiresAt).as('until') })
    .from(invitations)
    .where(and(isInvitation, isNull(invitations.usedAt), gt(invitations.expiresAt, sql`now()`)))
    .as('invited');
  const portal = db()
    .select({ seenAt: portals.seenAt, sound: sql<SoundState | null>`${portals.sound}`.as('sound') })
    .from(portals)
    .where(matches(portals, { companyId: page.companyId, employeeId: page.id }))
    .orderBy(desc(portals.seenAt))
    .limit(1)
    .as('portal');
  const isHeld = byId(sessions, pushSubscriptions, pushSubscriptions.sessionId);
  const devices = db()
    .select({ count: count().as('count') })
    .from(pushSubscriptions)
    .innerJoin(sessions, and(isHeld, gt(sessions.expiresAt, sql`now()`)))
    .where(matches(pushSubscriptions, { companyId: page.companyId, employeeId: page.id }))
    .as('devices');
  const rows = await db()
    .select()
    .from(page)
    .crossJoinLateral(invited)
    .leftJoinLateral(portal, sql`true`)
    .crossJoinLateral(devices)
    .orderBy(...inOrder(page));
  return rows.map(({ page: { companyId: _, ...employee }, invited, portal, devices }) => {
    return { ...employee, invitedUntil: invited.until, portal, devices: devices.count };
  });
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
  const { companyId } = manager;
  const isEmployee = byId(employees, { companyId }, id);
  const ofAccount = matches(sessions, { companyId: accounts.companyId, accountId: accounts.id });
  const areOpen = and(ofAccount, gt(sessions.expiresAt, sql`now()`));
  const open = db().select({ count: count() }).from(sessions).where(areOpen);
  const [[employee], visits, [account]] = await Promise.all([
    listSummaries(manager, isEmployee, 1),
    db()
      .select({ seenAt: portals.seenAt, sound: sql<SoundState | null>`${portals.sound}` })
      .from(portals)
      .where(matches(portals, { companyId, employeeId: id }))
      .orderBy(desc(portals.seenAt)),
    db()
      .select({ confirmation: lastConfirmationOf(accounts), sessions: sql<number>`${open}` })
      .from(employees)
      .innerJoin(accounts, byId(accounts, employees, employees.accountId))
      .where(isEmployee),
  ]);
  return employee ? { ...employee, portals: visits, sessions: 0, confirmation: null, ...account } : null;
}

export async function listRoles({ companyId }: Manager): Promise<string[]> {
  const { role } = employees;
  const ofCompany = eq(employees.companyId, companyId);
  const rows = await db().selectDistinct({ role }).from(employees).where(ofCompany).orderBy(role).limit(200);
  return rows.map((row) => row.role);
}
