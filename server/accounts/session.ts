import type { AuthOptions } from 'next-auth';
import { decode, encode, type JWT } from 'next-auth/jwt';
import Credentials from 'next-auth/providers/credentials';
import { sql } from '#db/client.ts';
import type { SignIn } from '#server/accounts/accounts.ts';
import {
  type Device,
  endSession,
  maxAgeSeconds,
  noteSeen,
  openSession,
  proofMinutes,
  seenEveryMinutes,
} from '#server/accounts/sessions.ts';
import { authorizeSignIn } from '#server/accounts/sign-in.ts';
import { authSecret, cookieSecrets, env } from '#server/env.ts';
import type { Account, Session } from '#server/principals.ts';

type SessionRow = Account & {
  proved: boolean;
  seenLately: boolean;
  lastsMs: number;
  isOwner: boolean;
  employeeId: number | null;
  employeeName: string;
  lastNo: number;
  accessNo: number;
};

const isSecure = () => env().APP_URL.startsWith('https:');

/** The name of a cookie of ours; behind TLS with the prefix that lets nobody but this very host set it. */
export function hostOnly(name: string): string {
  return `${isSecure() ? '__Host-' : ''}${name}`;
}

/** How every cookie of ours is set: no script reads it, no other site's form sends it, and behind TLS nothing else carries it. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure() } as const;
}

/** The session cookie's name. */
export function sessionCookieName(): string {
  return hostOnly('next-auth.session-token');
}

/**
 * Who a request's `Cookie` header stands for, checked against the database each time: a session that was not ended, of an
 * account whose password was not changed since, and who is an owner or an active employee. Null for everybody else.
 */
export async function authenticateSession(cookieHeader: string | null): Promise<Session | null> {
  const claims = await readClaims(cookieHeader);
  if (!claims) return null;
  const [row] = await sql()<SessionRow[]>`
    select a.company_id as "companyId", c.name as "companyName", c.time_zone as "timeZone", c.last_no as "lastNo",
      c.access_no as "accessNo", a.id as "accountId", a.name, a.username, a.language, a.is_owner as "isOwner",
      e.id as "employeeId", e.name as "employeeName", s.proved_at > now() - ${proofMinutes} * interval '1 minute' as proved,
      s.seen_at > now() - ${seenEveryMinutes} * interval '1 minute' as "seenLately",
      (extract(epoch from s.expires_at - now()) * 1000)::float as "lastsMs"
    from sessions s
    join accounts a on a.company_id = s.company_id and a.id = s.account_id
    join companies c on c.id = a.company_id
    left join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where s.company_id = ${claims.companyId} and s.id = ${claims.sessionId} and s.expires_at > now()
      and s.account_id = ${claims.accountId} and a.session_version = ${claims.sessionVersion}
      and (a.is_owner or e.id is not null)`;
  if (!row) return null;
  if (!row.seenLately) await noteSeen(claims);
  return asSession(row, claims);
}

function asSession(
  { isOwner, employeeId, employeeName, proved, seenLately: _seen, lastsMs, lastNo, accessNo, ...account }: SessionRow,
  { sessionId, sessionVersion }: Claims,
): Session {
  const { companyId, companyName, timeZone, accountId, name } = account;
  const company = { companyId, companyName, timeZone };
  return {
    account,
    owner: isOwner ? { kind: 'owner', ...company, accountId, name } : null,
    employee: employeeId === null ? null : { kind: 'employee', ...company, employeeId, name: employeeName },
    sessionId,
    sessionVersion,
    proved,
    lastNo,
    accessNo,
    lastsMs,
  };
}

/** Somebody with a session, as far as is needed to look again whether it still holds. */
export type Remembered = Pick<Session, 'employee' | 'sessionId' | 'sessionVersion'>;

/** Of these people of one company, the ones who are still signed in as the same active employee; one statement for all. */
export async function keepSignedIn<Who extends Remembered>(companyId: number, people: Who[]): Promise<Who[]> {
  const rows = await sql()<{ sessionId: number; sessionVersion: number; employeeId: number }[]>`
    select s.id as "sessionId", a.session_version as "sessionVersion", e.id as "employeeId"
    from sessions s
    join accounts a on a.company_id = s.company_id and a.id = s.account_id
    join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where s.company_id = ${companyId} and s.expires_at > now() and s.id = any(${people.map(({ sessionId }) => sessionId)}::int[])`;
  const found = new Map(rows.map((row) => [row.sessionId, row]));
  return people.filter(({ employee, sessionId, sessionVersion }) => {
    const now = found.get(sessionId);
    return now?.sessionVersion === sessionVersion && now.employeeId === employee?.employeeId;
  });
}

/** The session cookie's value in a `Cookie` header, or null. */
export function readSessionToken(cookieHeader: string | null): string | null {
  const name = `${sessionCookieName()}=`;
  const pair = cookieHeader?.split(';').find((part) => part.trim().startsWith(name));
  return pair ? pair.trim().slice(name.length) : null;
}

type Claims = SignIn & { sessionId: number };

async function readClaims(cookieHeader: string | null): Promise<Claims | null> {
  const token = readSessionToken(cookieHeader);
  if (!token) return null;
  const claims = await openToken(token);
  return claims ? asClaims(claims) : null;
}

async function openToken(token: string | undefined): Promise<JWT | null> {
  for (const secret of cookieSecrets()) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims) return claims;
  }
  return null;
}

function asClaims({ companyId, accountId, sessionVersion, sessionId }: Record<string, unknown>): Claims | null {
  const numbers = [companyId, accountId, sessionVersion, sessionId].every(Number.isSafeInteger);
  return numbers ? ({ companyId, accountId, sessionVersion, sessionId } as Claims) : null;
}

/** Ends the session that a request came with, if any: whoever signs in anew leaves none behind in that browser. */
export async function endSessionOf(cookieHeader: string | null): Promise<void> {
  const claims = await readClaims(cookieHeader);
  if (claims) await endSession(claims, claims.sessionId);
}

/** Opens a session for a person who has just proved who they are in another way; the value of its cookie. */
export async function makeSessionCookie(
  { companyId, accountId, sessionVersion }: SignIn,
  device: Device,
): Promise<{ name: string; value: string; maxAge: number } & ReturnType<typeof cookieOptions>> {
  const sessionId = await openSession({ companyId, accountId }, device);
  const token = { companyId, accountId, sessionVersion, sessionId };
  const value = await encode({ token, secret: authSecret(), maxAge: maxAgeSeconds });
  return { name: sessionCookieName(), value, maxAge: maxAgeSeconds, ...cookieOptions() };
}

/** What next-auth needs to know: one way to sign in, and a cookie that says only who, in which session, since which password. */
export function authOptions(): AuthOptions {
  return {
    secret: authSecret(),
    session: { strategy: 'jwt', maxAge: maxAgeSeconds },
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookieOptions() },
      callbackUrl: { name: hostOnly('next-auth.callback-url'), options: cookieOptions() },
    },
    jwt: { decode: ({ token }) => openToken(token) },
    useSecureCookies: isSecure(),
    pages: { signIn: '/login', error: '/login' },
    providers: [
      Credentials({
        credentials: { username: {}, password: {} },
        authorize: (given, { headers }) => authorizeSignIn(given ?? {}, headers),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        if (!user) return token;
        const { companyId, accountId, sessionVersion, sessionId } = user as unknown as Claims;
        return { companyId, accountId, sessionVersion, sessionId };
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        const claims = asClaims(token);
        if (claims) await endSession(claims, claims.sessionId);
      },
    },
  };
}
