import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { OidcProvider } from '#platform/config/identity.ts';
import { env } from '#platform/config/settings.ts';
import {
  type CookieToSet,
  cookieOptions,
  decryptCookie,
  encryptCookie,
  expiredCookie,
  hostCookieName,
  readCookie,
} from '#server/accounts/sessions/cookie.ts';
import type { AccountId, AccountVersion } from '#server/principals.ts';

const cookieName = 'known-browser';
const maxAgeSeconds = 365 * 24 * 60 * 60;
const maxAccounts = 5;

const KnownAccount = z.object({ companyId: z.int(), accountId: z.int(), sessionVersion: z.int(), until: z.int() });
const Content = z.object({ id: z.string(), accounts: z.array(KnownAccount) });

/**
 * A browser in which someone signed in before: a random `id`, and the last five accounts, each with its session version
 * and expiry (Unix seconds). It replaces no password; it lets the person past the delays that strangers cause.
 */
export type KnownBrowser = z.infer<typeof Content>;

export async function decodeKnownBrowser(cookieHeader: string | null): Promise<KnownBrowser | null> {
  const { data: browser } = Content.safeParse(await decryptCookie(cookieHeader, cookieName));
  return browser ? { ...browser, accounts: browser.accounts.filter(({ until }) => until > nowSeconds()) } : null;
}

/** The group of a known browser in queues and limits, or null: the account that signed in there last. */
export async function knownGroup(cookieHeader: string | null): Promise<string | null> {
  const newest = (await decodeKnownBrowser(cookieHeader))?.accounts[0];
  return newest ? `account ${newest.companyId}/${newest.accountId}` : null;
}

/** Whether this account signed in there before, less than a year ago, with its current password. */
export function isKnownTo(account: AccountVersion, browser: KnownBrowser | null): browser is KnownBrowser {
  const { sessionVersion } = account;
  return browser?.accounts.some((old) => isSameAccount(old, account) && old.sessionVersion === sessionVersion) ?? false;
}

/** The cookie that makes the browser known to an account: for a year, until the account has a new password. */
export async function rememberBrowser(cookieHeader: string | null, account: AccountVersion): Promise<CookieToSet> {
  const { companyId, accountId, sessionVersion } = account;
  const before = await decodeKnownBrowser(cookieHeader);
  const newest = { companyId, accountId, sessionVersion, until: nowSeconds() + maxAgeSeconds };
  const others = before?.accounts.filter((old) => !isSameAccount(old, newest)) ?? [];
  const id = before?.id ?? randomBytes(16).toString('base64url');
  return encryptCookie(cookieName, { id, accounts: [newest, ...others].slice(0, maxAccounts) }, maxAgeSeconds);
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

const isSameAccount = (account: AccountId, other: AccountId) =>
  account.companyId === other.companyId && account.accountId === other.accountId;

const signedOutCookie = 'signed-out';

/** The cookie of a browser in which somebody signed out, with its provider, which asks who presses its button next. */
export const rememberSignOut = (issuer: string | null) => ({
  name: hostCookieName(signedOutCookie),
  maxAge: 30 * 24 * 60 * 60,
  ...cookieOptions(),
  value: env().OIDC_PROVIDERS.find((provider) => provider.issuer === issuer)?.id ?? 'none',
});

export const forgottenSignOut = () => expiredCookie(signedOutCookie);

export const hasSignedOut = (cookieHeader: string | null): boolean =>
  readCookie(cookieHeader, hostCookieName(signedOutCookie)) !== null;

/** The provider of the session that ended last in this browser, or null: it had none, or somebody has signed in since. */
export function findLastProvider(cookieHeader: string | null): OidcProvider | null {
  const id = readCookie(cookieHeader, hostCookieName(signedOutCookie));
  return env().OIDC_PROVIDERS.find((provider) => provider.id === id) ?? null;
}
