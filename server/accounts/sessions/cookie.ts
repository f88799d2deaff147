import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { jwtDecrypt } from 'jose';
import { authSecret, cookieSecrets } from '#platform/config/identity.ts';
import { env } from '#platform/config/settings.ts';
import { sessionMaxAgeSeconds } from '#server/accounts/sessions/sessions.ts';
import type { AccountVersion } from '#server/principals.ts';

/** The encrypted content of the session cookie. That of a bell also names the bell and the origin of its page. */
export type SessionClaims = AccountVersion & { sessionId: number; bellId?: number; origin?: string };

export type BellClaims = Required<SessionClaims>;

/** A cookie as Next's `cookies().set` takes it. */
export type CookieToSet = { name: string; value: string; maxAge: number } & ReturnType<typeof cookieOptions>;

const isSecureCookie = () => env().APP_URL.startsWith('https:');

/** The full name of a cookie. Behind TLS, `__Host-` keeps other hosts from setting it. */
export const hostCookieName = (name: string): string => `${isSecureCookie() ? '__Host-' : ''}${name}`;

/** The options of every cookie: no scripts, no cross-site forms, Secure behind TLS. */
export const cookieOptions = () => ({ httpOnly: true, sameSite: 'lax', path: '/', secure: isSecureCookie() }) as const;

/** The value of a cookie in a `Cookie` header, or null. The last of two equal names wins, as in Next's `cookies()`. */
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

/** A cookie whose content is encrypted for `maxAge` seconds, as next-auth does it, under a key of its name (`use`). */
export async function encryptCookie(name: string, content: object, maxAge: number, use = name): Promise<CookieToSet> {
  // Loaded at the first cookie: it would take 0.1 s of a start.
  const { encode } = await import('next-auth/jwt');
  const value = await encode({ token: { ...content }, secret: authSecret(), maxAge, salt: use });
  return { name: hostCookieName(name), value, maxAge, ...cookieOptions() };
}

/** The content of an encrypted cookie in a `Cookie` header, or null; as `decrypt`. */
export const decryptCookie = (cookieHeader: string | null, name: string) =>
  decrypt(readCookie(cookieHeader, hostCookieName(name)), name);

export const expiredCookie = (name: string): CookieToSet => ({
  name: hostCookieName(name),
  value: '',
  maxAge: 0,
  ...cookieOptions(),
});

// Those of next-auth, and no others that fit the key.
const decryption = {
  clockTolerance: 15,
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
};

// The content of a token that is not over, or null. Also accepts AUTH_SECRET_PREVIOUS.
async function decrypt(token: string | null, use: string): Promise<Record<string, unknown> | null> {
  for (const secret of token ? cookieSecrets() : []) {
    const decoded = await jwtDecrypt(token ?? '', keyOf(secret, use), decryption).catch(() => null);
    if (decoded) return decoded.payload;
  }
  return null;
}

// next-auth derives its key anew for each cookie, which takes longer than to decrypt it.
function keyOf(secret: string, use: string): KeyObject {
  const cachedKey = keys.get(use + secret);
  if (cachedKey) return cachedKey;
  const purpose = `NextAuth.js Generated Encryption Key${use && ` (${use})`}`;
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, use, purpose, 32)));
  keys.set(use + secret, key);
  return key;
}
const keys = new Map<string, KeyObject>();

const sessionCookie = 'next-auth.session-token';
// next-auth's own session cookie has no salt. Another one would sign everyone out.
const sessionUse = '';

export const sessionCookieName = () => hostCookieName(sessionCookie);

export const encodeSessionCookie = (claims: SessionClaims): Promise<CookieToSet> =>
  encryptCookie(sessionCookie, claims, sessionMaxAgeSeconds, sessionUse);

export const expiredSessionCookie = (): CookieToSet => expiredCookie(sessionCookie);

export const decodeSessionCookie = (cookieHeader: string | null): Promise<SessionClaims | null> =>
  decodeClaims(readCookie(cookieHeader, sessionCookieName()), sessionUse);

// The claims of a session in a token, or null when one of them is missing.
async function decodeClaims(token: string | null, use: string): Promise<SessionClaims | null> {
  const { companyId, accountId, sessionVersion, sessionId, bellId, origin } = (await decrypt(token, use)) ?? {};
  const isBell = use === bellCookie;
  const numbers = [companyId, accountId, sessionVersion, sessionId, ...(isBell ? [bellId] : [])];
  if (!numbers.every(Number.isSafeInteger) || (isBell && typeof origin !== 'string')) return null;
  return { companyId, accountId, sessionVersion, sessionId, ...(isBell && { bellId, origin }) } as SessionClaims;
}

const bellCookie = 'bell';

/**
 * The cookie of the bell in a page of another site, where browsers keep the session cookie away. It names the same
 * session, with the rights of its employee only, while the company lists its page and the person does not end it. With
 * its own key of encryption it is never a session cookie.
 */
export async function encodeBellCookie(claims: BellClaims) {
  // Browsers keep it apart for each site around the frame (CHIPS).
  const options = { sameSite: 'none', secure: true, partitioned: true } as const;
  return { ...(await encryptCookie(bellCookie, claims, sessionMaxAgeSeconds)), ...options };
}

export function readReaderToken(cookieHeader: string | null): { token: string; isBell: boolean } | null {
  const session = readCookie(cookieHeader, sessionCookieName());
  const token = session ?? readCookie(cookieHeader, hostCookieName(bellCookie));
  return token ? { token, isBell: session === null } : null;
}

export const decodeReaderToken = ({ token, isBell }: { token: string; isBell: boolean }) =>
  decodeClaims(token, isBell ? bellCookie : sessionUse);

/**
 * Whether a request that changes something comes from a page of this service (APP_URL or the requested `Host`):
 * `Origin` or `Sec-Fetch-Site` must say so, and neither may say otherwise. `Origin: null` does not pass.
 */
export function isFromOwnPage({ origin, site, host }: Partial<Record<'origin' | 'site' | 'host', string | null>>) {
  if (site && site !== 'same-origin') return false;
  if (!origin) return site === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const [from, own] = [new URL(origin), new URL(env().APP_URL)];
  if (from.origin === own.origin) return true;
  // With APP_URL on https, a page that was loaded over http must not act for it.
  return from.host === host && (from.protocol === own.protocol || own.protocol === 'http:');
}
