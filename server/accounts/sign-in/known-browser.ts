import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { authSecret, cookieSecrets } from '#platform/config/identity.ts';
import { type CookieToSet, cookieOptions, hostCookieName, readCookie } from '#server/accounts/sessions/cookie.ts';
import type { AuthenticatedAccount } from '#server/principals.ts';

const maxAgeSeconds = 365 * 24 * 60 * 60;
const maxAccounts = 5;
const nonceBytes = 12;
const tagBytes = 16;

const Content = z.object({
  id: z.string(),
  accounts: z.array(z.tuple([z.int(), z.int(), z.int(), z.int()])),
});

/**
 * A browser in which someone signed in before. `id` is random; `accounts` are the last five that
 * signed in, with their session version and an expiry in Unix seconds. It replaces no password: it
 * only lets the person past the delays that strangers cause.
 */
export type KnownBrowser = { id: string; accounts: (AuthenticatedAccount & { until: number })[] };

const cookieName = () => hostCookieName('known-browser');

/** The known browser in a `Cookie` header, or null. Also accepts AUTH_SECRET_PREVIOUS. */
export function decodeKnownBrowser(cookieHeader: string | null): KnownBrowser | null {
  const value = readCookie(cookieHeader, cookieName());
  if (!value) return null;
  for (const secret of cookieSecrets()) {
    const browser = decrypt(value, secret);
    if (browser) return browser;
  }
  return null;
}

/**
 * The group of a request from a known browser in queues and limits, or null: the account that
 * signed in there last. Not the browser, because each sign-in can make a new one.
 */
export function knownGroup(cookieHeader: string | null): string | null {
  const newest = decodeKnownBrowser(cookieHeader)?.accounts[0];
  return newest ? `account ${newest.companyId}/${newest.accountId}` : null;
}

/** Whether this account signed in there before, less than a year ago, with its current password. */
export function isKnownTo(account: AuthenticatedAccount, browser: KnownBrowser | null): browser is KnownBrowser {
  const { sessionVersion } = account;
  return browser?.accounts.some((one) => isSameAccount(one, account) && one.sessionVersion === sessionVersion) ?? false;
}

/**
 * The cookie that makes the browser known to an account that has just signed in. It lasts a year
 * and outlives the session. A new password of the account invalidates it for that account.
 */
export function rememberBrowser(cookieHeader: string | null, account: AuthenticatedAccount): CookieToSet {
  const before = decodeKnownBrowser(cookieHeader);
  const { companyId, accountId, sessionVersion } = account;
  const newest = { companyId, accountId, sessionVersion, until: nowSeconds() + maxAgeSeconds };
  const others = before?.accounts.filter((one) => !isSameAccount(one, account)) ?? [];
  const accounts = [newest, ...others].slice(0, maxAccounts);
  const value = encrypt({ id: before?.id ?? randomBytes(16).toString('base64url'), accounts }, authSecret());
  return { name: cookieName(), value, maxAge: maxAgeSeconds, ...cookieOptions() };
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

const isSameAccount = (one: AuthenticatedAccount, other: AuthenticatedAccount) =>
  one.companyId === other.companyId && one.accountId === other.accountId;

// A separate key, so that a session cookie cannot pass for this one. Cached, because each request
// of a page needs it.
const keys = new Map<string, Uint8Array>();
function keyOf(secret: string): Uint8Array {
  const key = keys.get(secret) ?? new Uint8Array(hkdfSync('sha256', secret, '', 'known browser', 32));
  keys.set(secret, key);
  return key;
}

function encrypt({ id, accounts }: KnownBrowser, secret: string): string {
  const content = {
    id,
    accounts: accounts.map((one) => [one.companyId, one.accountId, one.sessionVersion, one.until]),
  };
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

function decrypt(value: string, secret: string): KnownBrowser | null {
  try {
    const bytes = Buffer.from(value, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    const { id, accounts } = Content.parse(JSON.parse(text.toString('utf8')));
    const named = accounts.map(([companyId, accountId, sessionVersion, until]) => ({
      ...{ companyId, accountId, sessionVersion, until },
    }));
    return { id, accounts: named.filter(({ until }) => until > nowSeconds()) };
  } catch {
    return null;
  }
}
