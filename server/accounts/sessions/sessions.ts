import {
  byId,
  db,
  deleteRows,
  inTransaction,
  matches,
  type Rows,
  requireRow,
  type Transaction,
  updateRows,
} from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { type AnyPgColumn, alias, and, desc, eq, inArray, ne, or, type SQL, sql } from '#db/drizzle.cjs';
import { accounts, bells, companies, employees, invitations, sessions } from '#db/schema/tables.ts';
import { env } from '#platform/config/settings.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import { changeSettings, recordAudit } from '#server/audit/record.ts';
import type { AccountId, AuthenticatedAccount, Owner, Session } from '#server/principals.ts';

type SessionColumns = Record<'expiresAt' | 'confirmBy' | 'confirmedAt' | 'seenAt', AnyPgColumn>;
type AccountColumns = Record<'id' | 'isOwner' | 'isManager', AnyPgColumn>;
type CompanyColumns = Record<
  'managersIdleMinutes' | 'employeesIdleMinutes' | 'fallbackAccountId' | 'onlyIssuer',
  AnyPgColumn
>;

// After how many minutes without activity sessions end; null: after the 30 days of each session.
type IdleLimits = Pick<Rows['companies'], 'managersIdleMinutes' | 'employeesIdleMinutes'>;

/** The choices in minutes, beside null. An open portal of an employee is noted once an hour. */
export const idleChoices = { managers: [15, 60, 480, 10_080], employees: [480, 1440, 10_080] } as const;

/**
 * SQL: when a session ends without further activity: opened pages and actions; of employees the open portal too. What a
 * page of an owner or manager asks for by itself is no activity: a left computer would never sign out. One of a
 * provider also ends when that has not confirmed it in time.
 */
export const sessionEndOf = (session: SessionColumns = sessions, account?: AccountColumns, company?: CompanyColumns) =>
  endWith(sql`${session.confirmBy}`, session, account, company);

/** As `sessionEndOf`, of what rings: the portal, bells and devices of an employee, and an owner's alarms. */
export const ringEndOf = (session: SessionColumns = sessions, account?: AccountColumns, company?: CompanyColumns) =>
  endWith(unconfirmedUntil(session), session, account, company);

/** SQL: when the last hour of what rings begins, however often the portal is in use. */
export const lastHourOf = (session: SessionColumns = sessions) =>
  sql`(least(${session.expiresAt}, ${unconfirmedUntil(session)}) - interval '1 hour')`;

// A portal that its provider does not confirm rings for 7 days, with titles only.
const unconfirmedUntil = (session: SessionColumns) =>
  sql`greatest(${session.confirmBy}, ${session.confirmedAt} + interval '7 days')`;

const endWith = (
  confirmBy: SQL,
  session: SessionColumns,
  account: AccountColumns = accounts,
  company: CompanyColumns = companies,
) => sql`
  least(${session.expiresAt}, ${confirmBy}, ${session.seenAt} + make_interval(mins => case
    when ${account.isOwner} or ${account.isManager} then ${company.managersIdleMinutes}
    else ${company.employeesIdleMinutes} end))`;

/** Changes the idle limits. Sessions that were idle for longer end at once. */
export const changeIdleLimits = (owner: Owner, limits: IdleLimits) =>
  changeSettings(owner, limits, (tx) => announceAccessChange(tx, owner));

/** SQL: the issuer of the only provider of an account, or null. The owner whose password is the way back has none. */
export const onlyIssuerOf = (account: AccountColumns, company: CompanyColumns) => sql<string | null>`
  case when (${account.isOwner} and ${account.id} = ${company.fallbackAccountId}) is not true then ${company.onlyIssuer} end`;

/** SQL: whether an account may sign in, or prove itself, with `issuer`; null: with a password, passkey or link. */
export const isWayOf = (
  issuer: string | null | SQL,
  account: AccountColumns = accounts,
  company: CompanyColumns = companies,
) => {
  const only = onlyIssuerOf(account, company);
  return sql<boolean>`coalesce(${only} = ${issuer}, ${only} is null)`;
};

/**
 * Marks a session as re-authenticated and, with `hasSecondFactor`, as one of two factors. `'provider-only'`: the
 * company allows its provider only, so just the second factor is marked.
 */
export async function proveSession(
  { account, sessionId }: Pick<Session, 'account' | 'sessionId'>,
  { issuer, hasSecondFactor }: Pick<Session, 'issuer' | 'hasSecondFactor'>,
) {
  const provedAt = sql`case when ${isWayOf(issuer)} then now() else ${sessions.provedAt} end`;
  const [proved] = await db()
    .update(sessions)
    .set({ provedAt, hasSecondFactor: hasSecondFactor || undefined })
    .from(accounts)
    .innerJoin(companies, eq(companies.id, accounts.companyId))
    .where(and(byId(sessions, account, sessionId), byId(accounts, sessions, sessions.accountId)))
    .returning({ isWay: isWayOf(issuer) });
  return proved?.isWay === false ? 'provider-only' : 'proved';
}

export const sessionMaxAgeSeconds = 30 * 24 * 60 * 60;
export const reauthenticatedMinutes = 10;

/** The name that a browser gives itself, as it is stored. */
export const cutClient = (client: string): string => client.slice(0, 300);

/** The browser that opens a session: its address and the name it gives itself (User-Agent). */
export type SessionClient = Pick<Rows['sessions'], 'address' | 'client'>;

export type BellSummary = SessionClient & Pick<Rows['bells'], 'id' | 'origin'> & { openedAt: string };

type SessionSummary = SessionClient & Pick<Rows['sessions'], 'id' | 'createdAt' | 'seenAt'> & { bells: BellSummary[] };

export const maxSessions = 100;

/** The names of the tables in the statements that are texts. */
export const [a, c] = [alias(accounts, 'a'), alias(companies, 'c')];
const s = alias(sessions, 's');

/** Opens a session for an account that was just authenticated. Ends the least recently used beyond `maxSessions`. */
export async function openSession(
  { companyId, accountId, ...how }: Omit<AuthenticatedAccount, 'sessionVersion'>,
  { address, client }: SessionClient,
): Promise<number> {
  const { hasSecondFactor = false, reauthenticated = true, issuer = null, providerSid = null } = how;
  // As text: two changes in one round trip, the second of what it reads.
  const opened = db().execute<Pick<Rows['sessions'], 'id'>>(sql`
    with signed_in as (
      update accounts set signed_in_at = now() where company_id = ${companyId} and id = ${accountId}
    )
    insert into sessions (
      company_id, account_id, address, client, has_second_factor, proved_at, expires_at, issuer, provider_sid,
      confirmed_at, confirm_by)
    select ${companyId}, ${accountId}, ${address}, ${cutClient(client)}, ${hasSecondFactor},
      case when ${reauthenticated} and ${isWayOf(issuer, a, c)} then now() else 'epoch' end,
      now() + ${sessionMaxAgeSeconds} * interval '1 second', ${issuer}, ${providerSid},
      case when ${issuer}::text is not null then now() end, ${confirmBy(issuer)}
    from accounts a join companies c on c.id = a.company_id
    where a.company_id = ${companyId} and a.id = ${accountId}
    returning id`);
  const session = await requireRow(opened);
  await endSurplusSessions({ companyId, accountId });
  return session.id;
}

/** SQL: until when a provider that confirms a session now must confirm it again; null without a provider. */
export const confirmBy = (issuer: string | null) => sql<Date | null>`
  now() + ${env().OIDC_PROVIDERS.find((provider) => provider.issuer === issuer)?.sessionHours ?? null}::int * interval '1 hour'`;

export type Confirmation = { issuer: string; confirmedAt: string };

/** SQL: the last confirmation of an open session of an account, as JSON, or null. */
export const lastConfirmationOf = (account: Record<'companyId' | 'id', AnyPgColumn>) => sql<Confirmation | null>`(
  select jsonb_build_object('issuer', s.issuer, 'confirmedAt', s.confirmed_at) from sessions s
  where s.company_id = ${account.companyId} and s.account_id = ${account.id} and s.issuer is not null
    and s.expires_at > now()
  order by s.confirmed_at desc limit 1)`;

// Otherwise one person could fill the table, and the page that lists the sessions.
async function endSurplusSessions(account: AccountId): Promise<void> {
  const { companyId, accountId } = account;
  const surplus = () =>
    db()
      .select({ id: sessions.id })
      .from(sessions)
      .where(matches(sessions, { companyId, accountId }))
      .orderBy(desc(sessions.seenAt), desc(sessions.id))
      .offset(maxSessions);
  if ((await surplus()).length === 0) return;
  await inTransaction(async (tx) => {
    await announceAccessChange(tx, account);
    await deleteRows(db(tx), sessions, { companyId }, inArray(sessions.id, surplus()));
  });
}

export async function listSessions({ account }: Session): Promise<SessionSummary[]> {
  // As text: the bells of a session are a list of JSON.
  return db().execute<SessionSummary>(sql`
    select s.id, s.created_at as "createdAt", s.seen_at as "seenAt", s.address, s.client, coalesce((
        select jsonb_agg(jsonb_build_object('id', b.id, 'origin', b.origin, 'address', b.address, 'client', b.client,
          'openedAt', b.opened_at) order by b.opened_at desc)
        from bells b where b.company_id = s.company_id and b.session_id = s.id), '[]') as bells
    from sessions s
    join accounts a on a.company_id = s.company_id and a.id = s.account_id
    join companies c on c.id = s.company_id
    where s.company_id = ${account.companyId} and s.account_id = ${account.accountId} and ${ringEndOf(s, a, c)} > now()
      and (${sessionEndOf(s, a, c)} > now() or exists (
        select from employees e where e.company_id = a.company_id and e.account_id = a.id and e.active))
    order by s.seen_at desc, s.id desc`);
}

/** Ends one session of this account: its cookie is invalid at once, its streams close. Returns its provider. */
export async function endSession(account: AccountId, sessionId: number) {
  const [ended] = await inTransaction(async (tx) => {
    await announceAccessChange(tx, account);
    const { companyId, accountId } = account;
    return db(tx)
      .delete(sessions)
      .where(matches(sessions, { companyId, accountId, id: sessionId }))
      .returning({ issuer: sessions.issuer, providerSid: sessions.providerSid });
  });
  return ended;
}

const detailsOf = ({ client, address }: SessionClient) => ({ client: describeBrowser(client) || address, address });

/** Ends another session of this account, or all others, with an audit entry for each. Returns how many. */
export async function endOtherSessions({ account, sessionId }: Session, which: number | 'others'): Promise<number> {
  const { companyId, accountId } = account;
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, account);
    const isChosen = and(ne(sessions.id, sessionId), which === 'others' ? undefined : eq(sessions.id, which));
    const ended = await db(tx)
      .delete(sessions)
      .where(and(matches(sessions, { companyId, accountId }), isChosen))
      .returning({ client: sessions.client, address: sessions.address });
    await recordAudit(tx, account, 'session.end', ended.map(detailsOf));
    return ended.length;
  });
}

/** Ends one bell of this account, with an audit entry: its stream closes. */
export async function endBell({ account }: Session, bellId: number): Promise<'ended' | 'gone'> {
  const { companyId, accountId } = account;
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, account);
    const ofAccount = matches(sessions, { companyId, accountId });
    const itsSessions = db(tx).select({ id: sessions.id }).from(sessions).where(ofAccount);
    const [bell] = await db(tx)
      .delete(bells)
      .where(and(byId(bells, { companyId }, bellId), inArray(bells.sessionId, itsSessions)))
      .returning({ origin: bells.origin, address: bells.address, client: bells.client });
    if (!bell) return 'gone';
    await recordAudit(tx, account, 'bell.end', { origin: bell.origin, ...detailsOf(bell) });
    return 'ended';
  });
}

/** Ends all sessions of accounts. A new session version makes cookies and known browsers invalid. Returns how many. */
export async function endAllSessions(tx: Transaction, { companyId }: { companyId: number }, accountIds: number[]) {
  const changed = { sessionVersion: sql`${accounts.sessionVersion} + 1` };
  await updateRows(db(tx), accounts, { companyId, id: accountIds }, changed);
  const ended = await db(tx)
    .delete(sessions)
    .where(matches(sessions, { companyId, accountId: accountIds }))
    .returning({ id: sessions.id });
  return ended.length;
}

const { companyId, id: accountId, sessionVersion } = accounts;

/** Whether an account is of an owner, a manager, or an active employee, who is joined. */
export const maySignIn = sql<boolean>`(${accounts.isOwner} or ${accounts.isManager} or coalesce(${employees.active}, false))`;

export const versionColumns = { companyId, accountId, sessionVersion };

/** Deletes the unused links with which the person of an account could choose a new password. */
export async function deleteUnusedLinks(tx: Transaction, { companyId, accountId }: AccountId): Promise<void> {
  const isEmployee = matches(employees, { companyId, accountId });
  const employee = db(tx).select({ id: employees.id }).from(employees).where(isEmployee);
  const isForPerson = or(eq(invitations.accountId, accountId), eq(invitations.employeeId, employee));
  await deleteRows(db(tx), invitations, { companyId, usedAt: null }, isForPerson);
}

/** Gives an account a new password, or null for none, and ends its sessions. */
export async function setPassword(tx: Transaction, { companyId, accountId }: AccountId, passwordHash: string | null) {
  await endAllSessions(tx, { companyId }, [accountId]);
  const change = db(tx)
    .update(accounts)
    .set({ passwordHash })
    .where(byId(accounts, { companyId }, accountId));
  return requireRow(change.returning(versionColumns));
}
