import { sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import {
  decodeReaderToken,
  decodeSessionCookie,
  readReaderToken,
  type SessionClaims,
} from '#server/accounts/sessions/cookie.ts';
import { sessionEnd } from '#server/accounts/sessions/idle.ts';
import { reauthenticatedMinutes } from '#server/accounts/sessions/sessions.ts';
import type { Account, Session } from '#server/principals.ts';

const touchEveryMinutes = 5;

type SessionRow = { place: number } & Account &
  Omit<Session, 'account' | 'owner' | 'manager' | 'employee' | 'sessionId' | 'sessionVersion'> &
  Pick<Rows['accounts'], 'isOwner' | 'isManager'> & {
    employeeId: Rows['employees']['id'] | null;
    employeeName: Rows['employees']['name'];
  };

/** The session of a `Cookie` header, or null; see `authenticateClaims`. */
export async function authenticateSession(cookieHeader: string | null): Promise<Session | null> {
  const claims = await decodeSessionCookie(cookieHeader);
  const [session = null] = claims ? await authenticateClaims([claims]) : [];
  if (session) await noteRequests([session]);
  return session;
}

/**
 * The session of a person who reads their notifications: that of the session cookie, or without
 * one, that of the cookie of a bell in another site's page, which has no rights but the employee's.
 */
export async function authenticateReader(cookieHeader: string | null): Promise<Session | null> {
  const read = readReaderToken(cookieHeader);
  const claims = read && (await decodeReaderToken(read));
  const [session = null] = claims ? await authenticateClaims([claims]) : [];
  if (session) await noteRequests([session]);
  return session && read?.isBell ? { ...session, owner: null, manager: null, reauthenticated: false } : session;
}

/** Notes requests that a page makes by itself. They are activity of employees only, see `sessionEnd`. */
export const noteRequests = (sessions: Session[]): Promise<void> =>
  noteActivity(sessions.filter(({ manager, needsSecondFactor }) => !manager && !needsSecondFactor));

/**
 * The sessions of these claims, checked by one query, in the same order. A session is null if it has ended,
 * expired or been idle for too long, if the password has changed since, or if the account is not of an owner, a
 * manager or an active employee. Claims of a bell also need that the bell was not ended, and that the company lists the
 * origin of its page.
 */
export async function authenticateClaims(claims: SessionClaims[]): Promise<(Session | null)[]> {
  const listOf = (name: Exclude<keyof SessionClaims, 'origin'>) => claims.map((claim) => claim[name] ?? null);
  const rows = await sql()<SessionRow[]>`
    select claim.place::int as place,
      a.company_id as "companyId", c.name as "companyName", c.time_zone as "timeZone", c.last_no as "lastNo",
      c.access_no as "accessNo", c.link_base as "linkBase", a.id as "accountId", a.name, a.username, a.language, a.is_owner as "isOwner",
      a.is_manager as "isManager",
      e.id as "employeeId", e.name as "employeeName", (
        select p.from_no from employment p
        where p.company_id = e.company_id and p.employee_id = e.id and p.until_no is null) as "activeFromNo", c.second_factor_from as "secondFactorFrom",
      s.has_second_factor as "hasSecondFactor", s.issuer,
      coalesce(s.confirm_by < now() + (s.confirm_by - s.confirmed_at) / 4, false) as "asksProvider",
      coalesce(c.second_factor_from <= now() and not s.has_second_factor and (a.is_owner or a.is_manager), false)
        as "needsSecondFactor",
      s.proved_at > now() - ${reauthenticatedMinutes} * interval '1 minute' as reauthenticated,
      s.seen_at > now() - least(${touchEveryMinutes} * interval '1 minute', (${sessionEnd()} - s.seen_at) / 15) as "isSeen",
      (extract(epoch from least(${sessionEnd()}, now() + interval '1 hour') - now()) * 1000)::float as "lastsMs"
    from unnest(
      ${listOf('companyId')}::int[], ${listOf('sessionId')}::int[],
      ${listOf('accountId')}::int[], ${listOf('sessionVersion')}::int[], ${listOf('bellId')}::int[],
      ${claims.map(({ origin = null }) => origin)}::text[]
    ) with ordinality claim (company_id, session_id, account_id, session_version, bell_id, origin, place)
    join sessions s on s.company_id = claim.company_id and s.id = claim.session_id and s.account_id = claim.account_id
    join accounts a on a.company_id = s.company_id and a.id = s.account_id and a.session_version = claim.session_version
    join companies c on c.id = a.company_id
    left join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where ${sessionEnd()} > now() and (a.is_owner or a.is_manager or e.id is not null)
      and (claim.bell_id is null or claim.origin = any(c.embed_origins) and exists (
        select from bells b where b.company_id = s.company_id and b.id = claim.bell_id
          and b.session_id = s.id and b.origin = claim.origin))`;
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
  await sql()`
    update sessions set seen_at = now() where (company_id, id) in (
      select s.company_id, s.id from unnest(
        ${unseen.map(({ account }) => account.companyId)}::int[], ${unseen.map(({ sessionId }) => sessionId)}::int[]
      ) used (company_id, id)
      join sessions s on s.company_id = used.company_id and s.id = used.id
      for no key update of s skip locked)`;
}

function asSession(row: SessionRow, { sessionId, sessionVersion }: SessionClaims): Session {
  const { place: _, companyId, companyName, timeZone, accountId, name, username, language, ...others } = row;
  const { isOwner, isManager, employeeId, employeeName, ...state } = others;
  const { needsSecondFactor } = state;
  const company = { companyId, companyName, timeZone };
  const owner: Session['owner'] = isOwner && !needsSecondFactor ? { kind: 'owner', ...company, accountId, name } : null;
  return {
    account: { ...company, accountId, name, username, language },
    owner,
    manager: isManager && !needsSecondFactor ? { kind: 'manager', ...company, accountId, name } : owner,
    employee: employeeId === null ? null : { kind: 'employee', ...company, employeeId, name: employeeName },
    sessionId,
    sessionVersion,
    ...state,
  };
}
