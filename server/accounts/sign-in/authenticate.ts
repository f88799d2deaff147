import { sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import {
  decodeBellCookie,
  decodeSessionCookie,
  readSessionToken,
  type SessionClaims,
} from '#server/accounts/sessions/cookie.ts';
import { sessionEnd } from '#server/accounts/sessions/idle.ts';
import {
  endSession,
  openSession,
  reauthenticatedMinutes,
  type SessionClient,
} from '#server/accounts/sessions/sessions.ts';
import type { Account, AuthenticatedAccount, Session } from '#server/principals.ts';

const touchEveryMinutes = 5;

type SessionRow = Account &
  Pick<
    Session,
    | 'isSeen'
    | 'reauthenticated'
    | 'hasSecondFactor'
    | 'needsSecondFactor'
    | 'secondFactorFrom'
    | 'lastsMs'
    | 'lastNo'
    | 'accessNo'
    | 'linkBase'
  > &
  Pick<Rows['accounts'], 'isOwner' | 'isManager'> & {
    employeeId: Rows['employees']['id'] | null;
    employeeName: Rows['employees']['name'];
  };

/**
 * The session of a `Cookie` header, checked in the database, or null. It is valid when it has
 * neither ended nor expired, nor been idle for too long, the password is still the same, and the account is of an owner, a
 * manager or an active employee.
 */
export async function authenticateSession(cookieHeader: string | null): Promise<Session | null> {
  const claims = await decodeSessionCookie(cookieHeader);
  return claims && findSession(claims);
}

/**
 * The session of a person who reads their notifications: that of the session cookie, or without
 * one, that of the cookie of a bell in another site's page. The latter has no rights but the employee's.
 */
export async function authenticateReader(cookieHeader: string | null): Promise<(Session & { isBell: boolean }) | null> {
  if (readSessionToken(cookieHeader)) {
    const session = await authenticateSession(cookieHeader);
    return session && { ...session, isBell: false };
  }
  const claims = await decodeBellCookie(cookieHeader);
  const session = claims && (await findSession(claims));
  return session && { ...session, owner: null, manager: null, reauthenticated: false, isBell: true };
}

async function findSession(claims: SessionClaims): Promise<Session | null> {
  const [row] = await sql()<SessionRow[]>`
    select a.company_id as "companyId", c.name as "companyName", c.time_zone as "timeZone", c.last_no as "lastNo",
      c.access_no as "accessNo", c.link_base as "linkBase", a.id as "accountId", a.name, a.username, a.language, a.is_owner as "isOwner",
      a.is_manager as "isManager",
      e.id as "employeeId", e.name as "employeeName", c.second_factor_from as "secondFactorFrom",
      s.has_second_factor as "hasSecondFactor",
      coalesce(c.second_factor_from <= now() and not s.has_second_factor and (a.is_owner or a.is_manager), false)
        as "needsSecondFactor",
      s.proved_at > now() - ${reauthenticatedMinutes} * interval '1 minute' as reauthenticated,
      s.seen_at > now() - least(${touchEveryMinutes} * interval '1 minute', (${sessionEnd()} - s.seen_at) / 15) as "isSeen",
      (extract(epoch from least(${sessionEnd()}, now() + interval '1 hour') - now()) * 1000)::float as "lastsMs"
    from sessions s
    join accounts a on a.company_id = s.company_id and a.id = s.account_id
    join companies c on c.id = a.company_id
    left join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where s.company_id = ${claims.companyId} and s.id = ${claims.sessionId} and ${sessionEnd()} > now()
      and s.account_id = ${claims.accountId} and a.session_version = ${claims.sessionVersion}
      and (a.is_owner or a.is_manager or e.id is not null)`;
  if (!row) return null;
  const session = asSession(row, claims);
  if (!row.isOwner && !row.isManager) await noteActivity(session);
  return session;
}

/** Records that the session is in use, at most every 5 minutes. Pages and actions call it. */
export async function noteActivity(session: Session): Promise<void> {
  if (session.isSeen) return;
  session.isSeen = true;
  const { account, sessionId } = session;
  await sql()`update sessions set seen_at = now() where company_id = ${account.companyId} and id = ${sessionId}`;
}

function asSession(row: SessionRow, { sessionId, sessionVersion }: SessionClaims): Session {
  const { companyId, companyName, timeZone, accountId, name, username, language } = row;
  const { isOwner, isManager, employeeId, employeeName, reauthenticated, lastNo, accessNo, lastsMs, linkBase } = row;
  const { hasSecondFactor, needsSecondFactor, secondFactorFrom } = row;
  const company = { companyId, companyName, timeZone };
  const owner: Session['owner'] = isOwner && !needsSecondFactor ? { kind: 'owner', ...company, accountId, name } : null;
  return {
    account: { ...company, accountId, name, username, language },
    owner,
    manager: isManager && !needsSecondFactor ? { kind: 'manager', ...company, accountId, name } : owner,
    employee: employeeId === null ? null : { kind: 'employee', ...company, employeeId, name: employeeName },
    sessionId,
    sessionVersion,
    isSeen: row.isSeen,
    reauthenticated,
    hasSecondFactor,
    needsSecondFactor,
    secondFactorFrom,
    lastNo,
    accessNo,
    lastsMs,
    linkBase,
  };
}

/** The part of an employee's session that is needed to check it again. */
type SessionToCheck = Pick<Session, 'employee' | 'sessionId' | 'sessionVersion'>;

/** Those of a company's sessions that are still valid for the same active employee. */
export async function filterValidSessions<Checked extends SessionToCheck>(
  companyId: number,
  sessions: Checked[],
): Promise<Checked[]> {
  const ids = sessions.map(({ sessionId }) => sessionId);
  const rows = await sql()<
    {
      sessionId: Rows['sessions']['id'];
      sessionVersion: Rows['accounts']['sessionVersion'];
      employeeId: Rows['employees']['id'];
    }[]
  >`
    select s.id as "sessionId", a.session_version as "sessionVersion", e.id as "employeeId"
    from sessions s
    join accounts a on a.company_id = s.company_id and a.id = s.account_id
    join companies c on c.id = a.company_id
    join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where s.company_id = ${companyId} and ${sessionEnd()} > now() and s.id = any(${ids}::int[])`;
  const valid = new Map(rows.map((row) => [row.sessionId, row]));
  return sessions.filter(({ employee, sessionId, sessionVersion }) => {
    const row = valid.get(sessionId);
    return row?.sessionVersion === sessionVersion && row.employeeId === employee?.employeeId;
  });
}

export async function endSessionOfCookie(cookieHeader: string | null): Promise<void> {
  const claims = await decodeSessionCookie(cookieHeader);
  if (claims) await endSession(claims, claims.sessionId);
}

/** Opens a session for an authenticated account and returns the content of its cookie. */
export async function openSessionClaims(account: AuthenticatedAccount, client: SessionClient): Promise<SessionClaims> {
  const { companyId, accountId, sessionVersion } = account;
  return { companyId, accountId, sessionVersion, sessionId: await openSession(account, client) };
}
