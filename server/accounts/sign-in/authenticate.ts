import { type Database, db, matches } from '#db/client.ts';
import { and, eq, isNotNull, or, sql } from '#db/drizzle.cjs';
import { accounts, bells, companies, employees, employment, sessions } from '#db/schema/tables.ts';
import {
  decodeReaderToken,
  decodeSessionCookie,
  readReaderToken,
  type SessionClaims,
} from '#server/accounts/sessions/cookie.ts';
import { lastHourOf, reauthenticatedMinutes, ringEndOf, sessionEndOf } from '#server/accounts/sessions/sessions.ts';
import type { Account, Session } from '#server/principals.ts';

/** The session of a `Cookie` header, or null; see `authenticateClaims`. */
export async function authenticateSession(cookieHeader: string | null): Promise<Session | null> {
  const claims = await decodeSessionCookie(cookieHeader);
  const [session = null] = claims ? await authenticateClaims([claims]) : [];
  if (!session?.isConfirmed) return null;
  await noteRequests([session]);
  return session;
}

/** The session of the session cookie, else of a bell's in another site's page, which has the employee's rights only. */
export async function authenticateReader(cookieHeader: string | null): Promise<Session | null> {
  const session = await authenticateRinging(cookieHeader);
  return session?.isConfirmed ? session : null;
}

/** As `authenticateReader`, also when the provider has not confirmed the session: it rings, and shows titles only. */
export async function authenticateRinging(cookieHeader: string | null): Promise<Session | null> {
  const read = readReaderToken(cookieHeader);
  const claims = read && (await decodeReaderToken(read));
  const [session = null] = claims ? await authenticateClaims([claims]) : [];
  if (session) await noteRequests([session]);
  return session && read?.isBell ? { ...session, owner: null, manager: null, reauthenticated: false } : session;
}

/** Notes requests that a page makes by itself. They are activity of employees only, see `sessionEnd`. */
export const noteRequests = (sessions: Session[]): Promise<void> =>
  noteActivity(sessions.filter(({ manager, needsSecondFactor }) => !manager && !needsSecondFactor));

// drizzle writes this statement once for each pool, which halves the CPU of a request with one cookie.
const prepared = new WeakMap<Database, ReturnType<typeof prepare>>();

function prepare(database: Database) {
  const isManagement = or(accounts.isOwner, accounts.isManager);
  const [sessionEnd, ringEnd, lastHour] = [sessionEndOf(), ringEndOf(), lastHourOf()];
  const isConfirmed = sql<boolean>`${sessionEnd} > now()`;
  const touchInterval = sql`least(interval '5 minutes', (${ringEnd} - ${sessions.seenAt}) / 15)`;
  const isListed = sql`claim.origin = any(${companies.embedOrigins})`;
  const claim = (name: string) => sql`claim.${sql.identifier(name)}`;
  const isSession = { companyId: claim('company_id'), id: claim('session_id'), accountId: claim('account_id') };
  const isAccount = {
    companyId: sessions.companyId,
    id: sessions.accountId,
    sessionVersion: claim('session_version'),
  };
  const { companyId, id: accountId, name, username, isOwner, isManager } = accounts;
  const account = { companyId, accountId, name, username, isOwner, isManager };
  const { timeZone, lastNo, accessNo, linkBase, secondFactorFrom } = companies;
  const company = { companyName: companies.name, timeZone, lastNo, accessNo, linkBase, secondFactorFrom };
  return database
    .select({
      place: sql<number>`claim.place::int`,
      ...company,
      ...account,
      language: sql<Account['language']>`${accounts.language}`,
      employeeRow: { employeeId: employees.id, name: employees.name },
      activeFromNo: sql<number | null>`(
        select ${employment.fromNo} from ${employment} where ${employment.companyId} = ${employees.companyId}
          and ${employment.employeeId} = ${employees.id} and ${employment.untilNo} is null)`,
      hasSecondFactor: sessions.hasSecondFactor,
      issuer: sessions.issuer,
      asksProvider: sql<boolean>`coalesce(${sessions.confirmBy}
        < now() + (${sessions.confirmBy} - ${sessions.confirmedAt}) / 4, false)`,
      needsSecondFactor: sql<boolean>`coalesce(
        ${companies.secondFactorFrom} <= now() and not ${sessions.hasSecondFactor} and ${isManagement}, false)`,
      reauthenticated: sql<boolean>`${sessions.provedAt} > now() - ${reauthenticatedMinutes} * interval '1 minute'`,
      isSeen: sql<boolean>`${sessions.seenAt} > now() - ${touchInterval}`,
      isConfirmed,
      endsSoon: sql<boolean>`${lastHour} < now()`,
      lastsMs: sql<number>`(extract(epoch from least(case when ${lastHour} > now() then ${lastHour} end, case
        when ${isConfirmed} then least(${sessionEnd}, now() + interval '1 hour')
        else least(${ringEnd}, now() + interval '1 minute') end) - now()) * 1000)::float`,
    })
    .from(sql`unnest(
      ${sql.placeholder('companyIds')}::int[], ${sql.placeholder('sessionIds')}::int[],
      ${sql.placeholder('accountIds')}::int[], ${sql.placeholder('sessionVersions')}::int[],
      ${sql.placeholder('bellIds')}::int[], ${sql.placeholder('origins')}::text[]
    ) with ordinality claim (company_id, session_id, account_id, session_version, bell_id, origin, place)`)
    .innerJoin(sessions, matches(sessions, isSession))
    .innerJoin(accounts, matches(accounts, isAccount))
    .innerJoin(companies, eq(companies.id, companyId))
    .leftJoin(employees, and(matches(employees, { companyId, accountId }), employees.active))
    .where(
      and(
        sql`${ringEnd} > now()`,
        or(and(isManagement, isConfirmed), isNotNull(employees.id)),
        sql`(claim.bell_id is null or ${isListed} and exists (
          select from ${bells} where ${bells.companyId} = ${sessions.companyId} and ${bells.id} = claim.bell_id
            and ${bells.sessionId} = ${sessions.id} and ${bells.origin} = claim.origin))`,
      ),
    )
    .prepare('sessions');
}

/**
 * The sessions of these claims, by one query, in their order; null where the session has ended, the password has
 * changed, or the account is of no owner, manager or active employee. One of an employee is there until `ringEndOf`,
 * one of a bell while the bell is, and the origin of its page is in the company's list.
 */
export async function authenticateClaims(claims: SessionClaims[]): Promise<(Session | null)[]> {
  const listOf = (name: keyof SessionClaims) => claims.map((claim) => claim[name] ?? null);
  const database = db();
  const statement = prepared.get(database) ?? prepare(database);
  prepared.set(database, statement);
  const rows = await statement.execute({
    companyIds: listOf('companyId'),
    sessionIds: listOf('sessionId'),
    accountIds: listOf('accountId'),
    sessionVersions: listOf('sessionVersion'),
    bellIds: listOf('bellId'),
    origins: listOf('origin'),
  });
  const sessions = claims.map((): Session | null => null);
  for (const row of rows) sessions[row.place - 1] = asSession(row, claims[row.place - 1] as SessionClaims);
  return sessions;
}

/** Records that sessions are in use, at most every 5 minutes. Pages and actions call it. */
export async function noteActivity(sessions: Session[]): Promise<void> {
  const unseen = sessions.filter(({ isSeen }) => !isSeen);
  if (unseen.length === 0) return;
  for (const session of unseen) session.isSeen = true;
  // Skips a locked session: another process notes it at this moment, or it ends.
  const companyIds = sql.param(unseen.map(({ account }) => account.companyId));
  const sessionIds = sql.param(unseen.map(({ sessionId }) => sessionId));
  // As text: the builder has no list of values as one parameter.
  await db().execute(sql`
    update sessions set seen_at = now() where (company_id, id) in (
      select s.company_id, s.id from unnest(${companyIds}::int[], ${sessionIds}::int[]) used (company_id, id)
      join sessions s on s.company_id = used.company_id and s.id = used.id
      for no key update of s skip locked)`);
}

function asSession(
  row: Awaited<ReturnType<ReturnType<typeof prepare>['execute']>>[number],
  { sessionId, sessionVersion }: SessionClaims,
): Session {
  const { place: _, companyId, companyName, timeZone, accountId, name, username, language, ...others } = row;
  const { isOwner, isManager, employeeRow, ...state } = others;
  const { needsSecondFactor } = state;
  const company = { companyId, companyName, timeZone };
  const owner: Session['owner'] = isOwner && !needsSecondFactor ? { kind: 'owner', ...company, accountId, name } : null;
  return {
    account: { ...company, accountId, name, username, language },
    owner,
    manager: isManager && !needsSecondFactor ? { kind: 'manager', ...company, accountId, name } : owner,
    employee: employeeRow && { kind: 'employee', ...company, ...employeeRow },
    sessionId,
    sessionVersion,
    ...state,
  };
}
