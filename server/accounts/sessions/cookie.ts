import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { jwtDecrypt } from 'jose';
import { encode } from 'next-auth/jwt';
import { authSecret, cookieSecrets } from '#platform/config/identity.ts';
import { env } from '#platform/config/settings.ts';
import { sessionMaxAgeSeconds } from '#server/accounts/sessions/sessions.ts';
import type { AuthenticatedAccount } from '#server/principals.ts';

/** The encrypted content of the session cookie. */
export type SessionClaims = AuthenticatedAccount & { sessionId: number };

/** A cookie as Next's `cookies().set` takes it. */
export type CookieToSet = { name: string; value: string; maxAge: number } & ReturnType<typeof cookieOptions>;

/** Whether cookies are Secure: the service's address begins with https. */
export const isSecureCookie = () => env().APP_URL.startsWith('https:');

/** The full name of a cookie. Behind TLS, `__Host-` keeps other hosts from setting it. */
export function hostCookieName(name: string): string {
  return `${isSecureCookie() ? '__Host-' : ''}${name}`;
}

/** The options of every cookie: no scripts, no cross-site forms, Secure behind TLS. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecureCookie() } as const;
}

/** The session cookie's name, which next-auth uses too. Renaming it would sign everyone out. */
export function sessionCookieName(): string {
  return hostCookieName('next-auth.session-token');
}

/**
 * The value of a cookie in a `Cookie` header, or null. Of two with one name the last counts, as in
 * Next's `cookies()`.
 */
export function readCookie(cookieHeader: string | null, name: string): string | null {
  const pairs = cookieHeader?.split(';').map((pair) => pair.trim()) ?? [];
  for (const pair of pairs.reverse()) {
    if (!pair.startsWith(`${name}=`)) continue;
    try {
      return decodeURIComponent(pair.slice(name.length + 1));
    } catch {
      // Next skips what it cannot decode.
    }
  }
  return null;
}

function readSessionToken(cookieHeader: string | null): string | null {
  return readCookie(cookieHeader, sessionCookieName());
}

/**
 * The cookie of the bell in a page of another site, where browsers keep the session cookie away. It
 * names the same session and counts for its employee's feed, inbox and read state only
 * (`authenticateReader`). Its key of encryption differs, so it is never a session cookie.
 */
const bellCookieName = () => hostCookieName('bell');
const bellSalt = 'bell';
const ticketSalt = 'bell-ticket';
const ticketSeconds = 60;

/** What the window of the sign-in passes to the frame of a bell: the session, for 60 s. */
export const encodeBellTicket = (claims: SessionClaims): Promise<string> =>
  encode({ token: claims, secret: authSecret(), maxAge: ticketSeconds, salt: ticketSalt });

/** The cookie of a bell for a ticket, or null when that is not valid any more. */
export async function bellCookieFor(ticket: string) {
  const claims = await decodeSessionToken(ticket, ticketSalt);
  if (!claims) return null;
  const value = await encode({ token: claims, secret: authSecret(), maxAge: sessionMaxAgeSeconds, salt: bellSalt });
  // Browsers keep it apart for each site around the frame (CHIPS).
  const options = { ...cookieOptions(), sameSite: 'none', secure: true, partitioned: true } as const;
  return { name: bellCookieName(), value, maxAge: sessionMaxAgeSeconds, ...options };
}

/** The value of the session cookie, else of the bell's, or null. */
export function readReaderToken(cookieHeader: string | null): { token: string; isBell: boolean } | null {
  const [session, bell] = [readSessionToken(cookieHeader), readCookie(cookieHeader, bellCookieName())];
  const token = session ?? bell;
  return token ? { token, isBell: session === null } : null;
}

export const decodeReaderToken = ({ token, isBell }: { token: string; isBell: boolean }) =>
  decodeSessionToken(token, isBell ? bellSalt : '');

export async function encodeSessionCookie(claims: SessionClaims): Promise<CookieToSet> {
  const value = await encode({ token: claims, secret: authSecret(), maxAge: sessionMaxAgeSeconds });
  return { name: sessionCookieName(), value, maxAge: sessionMaxAgeSeconds, ...cookieOptions() };
}

export function expiredSessionCookie(): CookieToSet {
  return { name: sessionCookieName(), value: '', maxAge: 0, ...cookieOptions() };
}

export async function decodeSessionCookie(cookieHeader: string | null): Promise<SessionClaims | null> {
  const token = readSessionToken(cookieHeader);
  return token ? decodeSessionToken(token) : null;
}

/** The claims in the value of a session cookie, or null. Also accepts AUTH_SECRET_PREVIOUS. */
export async function decodeSessionToken(token: string, salt = ''): Promise<SessionClaims | null> {
  for (const secret of cookieSecrets()) {
    const decoded = await jwtDecrypt(token, keyOf(secret, salt), { clockTolerance: 15 }).catch(() => null);
    if (decoded) return asSessionClaims(decoded.payload);
  }
  return null;
}

// next-auth derives its key anew for each cookie, which takes longer than to decrypt it.
function keyOf(secret: string, salt: string): KeyObject {
  const known = keys.get(salt + secret);
  if (known) return known;
  const use = `NextAuth.js Generated Encryption Key${salt && ` (${salt})`}`;
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, salt, use, 32)));
  keys.set(salt + secret, key);
  return key;
}
const keys = new Map<string, KeyObject>();

/** Returns only the claims of a session, or null when one of them is missing. */
export function asSessionClaims(decoded: Record<string, unknown> | undefined): SessionClaims | null {
  if (!decoded) return null;
  const { companyId, accountId, sessionVersion, sessionId } = decoded;
  const numbers = [companyId, accountId, sessionVersion, sessionId].every(Number.isSafeInteger);
  return numbers ? ({ companyId, accountId, sessionVersion, sessionId } as SessionClaims) : null;
}

/** Where a request comes from: the headers `Origin`, `Sec-Fetch-Site` and `Host`. */
type RequestOrigin = { origin?: string | null; site?: string | null; host?: string | null };

/**
 * Whether a request that changes something comes from a page of this service. `Origin` or
 * `Sec-Fetch-Site` must say so, and neither may say otherwise; a request with neither header, or
 * with `Origin: null`, does not pass. The service's own origins are APP_URL and the requested
 * `Host`.
 */
export function isFromOwnPage({ origin, site, host }: RequestOrigin): boolean {
  if (site && site !== 'same-origin') return false;
  if (!origin) return site === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const [from, own] = [new URL(origin), new URL(env().APP_URL)];
  if (from.origin === own.origin) return true;
  // With APP_URL on https, a page that was loaded over http must not act for it.
  return from.host === host && (from.protocol === own.protocol || own.protocol === 'http:');
}
