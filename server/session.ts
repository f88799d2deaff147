import type { AuthOptions } from 'next-auth';
import { decode, encode } from 'next-auth/jwt';
import Credentials from 'next-auth/providers/credentials';
import { sql } from '#db/client.ts';
import { type SignIn, signIn } from '#server/accounts.ts';
import { authSecret, env } from '#server/env.ts';
import { log } from '#server/log.ts';

const maxAgeSeconds = 30 * 24 * 60 * 60;

/** Somebody who is signed in, whatever they may do. */
export type Account = {
  companyId: number;
  companyName: string;
  timeZone: string;
  accountId: number;
  name: string;
  username: string;
  language: 'id' | 'en' | null;
};

/** The principal of the management area: an owner, who acts on their own company only. */
export type Owner = {
  kind: 'owner';
  companyId: number;
  companyName: string;
  timeZone: string;
  accountId: number;
  name: string;
};

/** The principal of the portal: an active employee, who sees their own notifications only. */
export type Employee = {
  kind: 'employee';
  companyId: number;
  companyName: string;
  timeZone: string;
  employeeId: number;
  name: string;
};

/**
 * A session that is good at this moment. `lastNo` is the number of the company's newest notification; while the
 * company's `accessNo` stays the same, nobody's session has ended but by time (`expiresAt`, in ms).
 */
export type Session = {
  account: Account;
  owner: Owner | null;
  employee: Employee | null;
  sessionVersion: number;
  lastNo: number;
  accessNo: number;
  expiresAt: number;
};

type SessionRow = Account & {
  isOwner: boolean;
  employeeId: number | null;
  employeeName: string;
  lastNo: number;
  accessNo: number;
};

/** The session cookie's name; behind TLS it carries the prefix that browsers guard. */
export function sessionCookieName(): string {
  return `${env().APP_URL.startsWith('https:') ? '__Secure-' : ''}next-auth.session-token`;
}

/**
 * Who a request's `Cookie` header stands for, checked against the database each time: an account whose
 * password was not changed since, and who is an owner or an active employee. Null for everybody else.
 */
export async function authenticateSession(cookieHeader: string | null): Promise<Session | null> {
  const claims = await readClaims(cookieHeader);
  if (!claims) return null;
  const [row] = await sql()<SessionRow[]>`
    select a.company_id as "companyId", c.name as "companyName", c.time_zone as "timeZone", c.last_no as "lastNo",
      c.access_no as "accessNo", a.id as "accountId", a.name, a.username, a.language, a.is_owner as "isOwner",
      e.id as "employeeId", e.name as "employeeName"
    from accounts a
    join companies c on c.id = a.company_id
    left join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where a.company_id = ${claims.companyId} and a.id = ${claims.accountId}
      and a.session_version = ${claims.sessionVersion} and (a.is_owner or e.id is not null)`;
  return row ? asSession(row, claims) : null;
}

function asSession(
  { isOwner, employeeId, employeeName, lastNo, accessNo, ...account }: SessionRow,
  { sessionVersion, expiresAt }: Claims,
): Session {
  const { companyId, companyName, timeZone, accountId, name } = account;
  const company = { companyId, companyName, timeZone };
  return {
    account,
    owner: isOwner ? { kind: 'owner', ...company, accountId, name } : null,
    employee: employeeId === null ? null : { kind: 'employee', ...company, employeeId, name: employeeName },
    sessionVersion,
    lastNo,
    accessNo,
    expiresAt,
  };
}

/** Somebody with a session, as far as is needed to look again whether it still holds. */
export type Remembered = Pick<Session, 'account' | 'employee' | 'sessionVersion'>;

/** Of these people of one company, the ones who are still signed in as the same active employee; one statement for all. */
export async function keepSignedIn<Who extends Remembered>(companyId: number, people: Who[]): Promise<Who[]> {
  const rows = await sql()<{ accountId: number; sessionVersion: number; employeeId: number }[]>`
    select a.id as "accountId", a.session_version as "sessionVersion", e.id as "employeeId"
    from accounts a join employees e on e.company_id = a.company_id and e.account_id = a.id and e.active
    where a.company_id = ${companyId} and a.id = any(${people.map(({ account }) => account.accountId)}::int[])`;
  const found = new Map(rows.map((row) => [row.accountId, row]));
  return people.filter(({ account, employee, sessionVersion }) => {
    const now = found.get(account.accountId);
    return now?.sessionVersion === sessionVersion && now.employeeId === employee?.employeeId;
  });
}

/** The session cookie's value in a `Cookie` header, or null. */
export function readSessionToken(cookieHeader: string | null): string | null {
  const name = `${sessionCookieName()}=`;
  const pair = cookieHeader?.split(';').find((part) => part.trim().startsWith(name));
  return pair ? pair.trim().slice(name.length) : null;
}

type Claims = SignIn & { expiresAt: number };

async function readClaims(cookieHeader: string | null): Promise<Claims | null> {
  const token = readSessionToken(cookieHeader);
  if (!token) return null;
  const claims = await decode({ token, secret: authSecret() }).catch(() => null);
  const { companyId, accountId, sessionVersion, exp } = claims ?? {};
  const numbers = [companyId, accountId, sessionVersion, exp].every(Number.isSafeInteger);
  return numbers ? ({ companyId, accountId, sessionVersion, expiresAt: Number(exp) * 1000 } as Claims) : null;
}

/** The value of a fresh session cookie, for a person who has just proved who they are in another way. */
export async function makeSessionCookie(
  claims: SignIn,
): Promise<{ name: string; value: string; maxAgeSeconds: number; secure: boolean }> {
  const token = { companyId: claims.companyId, accountId: claims.accountId, sessionVersion: claims.sessionVersion };
  const value = await encode({ token, secret: authSecret(), maxAge: maxAgeSeconds });
  return { name: sessionCookieName(), value, maxAgeSeconds, secure: env().APP_URL.startsWith('https:') };
}

/** The client's address as the front, or the hosting platform, noted it: the last entry of X-Forwarded-For. */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(',').at(-1)?.trim() || 'unknown';
}

/** What next-auth needs to know: one way to sign in, and a cookie that says only who and since which password. */
export function authOptions(): AuthOptions {
  return {
    secret: authSecret(),
    session: { strategy: 'jwt', maxAge: maxAgeSeconds },
    useSecureCookies: env().APP_URL.startsWith('https:'),
    pages: { signIn: '/login', error: '/login' },
    providers: [
      Credentials({
        credentials: { username: {}, password: {} },
        authorize: async (given, request) => {
          const forwarded: unknown = request.headers?.['x-forwarded-for'];
          const address = clientAddress(typeof forwarded === 'string' ? forwarded : null);
          const { username, password }: { username?: unknown; password?: unknown } = given ?? {};
          if (typeof username !== 'string' || typeof password !== 'string') return null;
          if (username.length > 300 || password.length > 1000) return null;
          // The library sends the message of an error to the browser.
          const checked = await signIn(username.trim(), password, address).catch((error: unknown) => {
            log().error({ err: error }, 'a sign-in could not be checked');
            throw new Error('unavailable');
          });
          if (checked && 'waitSeconds' in checked) throw new Error(`wait:${checked.waitSeconds}`);
          return checked ? { id: String(checked.accountId), ...checked } : null;
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        if (!user) return token;
        const { companyId, accountId, sessionVersion } = user as unknown as SignIn;
        return { companyId, accountId, sessionVersion };
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
  };
}
