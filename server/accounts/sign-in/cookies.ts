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

const knownSeconds = 365 * 24 * 60 * 60;

// A cookie that keeps a content of this form, encrypted.
const cookieOf = <Content extends object>(name: string, form: z.ZodType<Content>, maxAge = 15 * 60) => ({
  keep: (content: Content): Promise<CookieToSet> => encryptCookie(name, content, maxAge),
  read: async (cookieHeader: string | null): Promise<Content | null> =>
    form.safeParse(await decryptCookie(cookieHeader, name)).data ?? null,
  ended: (): CookieToSet => expiredCookie(name),
});

const KnownAccount = z.object({ companyId: z.int(), accountId: z.int(), sessionVersion: z.int(), until: z.int() });
const KnownBrowser = z.object({ id: z.string(), accounts: z.array(KnownAccount) });

/**
 * A browser in which someone signed in before: a random `id`, and the last five accounts, each with its session version
 * and expiry (Unix seconds). It replaces no password; it lets the person past the delays that strangers cause.
 */
export type KnownBrowser = z.infer<typeof KnownBrowser>;

const knownBrowser = cookieOf('known-browser', KnownBrowser, knownSeconds);

export async function decodeKnownBrowser(cookieHeader: string | null): Promise<KnownBrowser | null> {
  const browser = await knownBrowser.read(cookieHeader);
  return browser && { ...browser, accounts: browser.accounts.filter(({ until }) => until > nowSeconds()) };
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
  const newest = { companyId, accountId, sessionVersion, until: nowSeconds() + knownSeconds };
  const others = before?.accounts.filter((old) => !isSameAccount(old, newest)) ?? [];
  const id = before?.id ?? randomBytes(16).toString('base64url');
  return knownBrowser.keep({ id, accounts: [newest, ...others].slice(0, 5) });
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

const flowPrefix = 'oidc-flow-';

// Each tab has a flow of its own. The cookies of more would be too long for a proxy.
const maxFlows = 5;

const Purpose = z.enum(['sign-in', 'link', 'reauthenticate', 'renew', 'join', 'connect']);

/** The form of a button that leads to a provider. */
export const OidcForm = z.object({
  purpose: Purpose.catch('sign-in'),
  callbackUrl: z.string().default('/'),
  token: z.string().default(''),
});

const OidcFlow = z.object({
  purpose: Purpose,
  provider: z.string(),
  returnTo: z.string(),
  sessionId: z.int().nullable(),
  token: z.string(),
  prompt: z.enum(['login', 'select_account', 'none']).nullable(),
  startedAt: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

/**
 * What a person is sent to a provider for. `token`: their invitation. `prompt`: what the provider was asked at
 * `startedAt` (Unix seconds). `state`, `nonce` and `verifier` (PKCE) tie the way back to this browser.
 */
export type OidcFlow = z.infer<typeof OidcFlow>;

const Identity = z.object({
  issuer: z.string(),
  subject: z.string(),
  label: z.string(),
  hasSecondFactor: z.boolean(),
  isFresh: z.boolean().nullable(),
  sid: z.string().nullable(),
});

/**
 * A person as a provider has just identified them. `label` may be empty. `isFresh`: they signed in there after this
 * flow began; null when the provider does not tell. `sid` is its own session.
 */
export type Identity = z.infer<typeof Identity>;

const flowCookie = ({ state }: Pick<OidcFlow, 'state'>) =>
  cookieOf(flowPrefix + state.replace(/[^\w-]/g, '').slice(0, 12), OidcFlow);

/** The cookie that keeps a flow for 15 minutes, encrypted. With too many flows, also those that remove the earlier ones. */
export async function keepOidcFlow(flow: OidcFlow, cookieNames: string[]): Promise<CookieToSet[]> {
  const prefix = hostCookieName(flowPrefix);
  const earlier = cookieNames.filter((name) => name.startsWith(prefix));
  const surplus = earlier.length < maxFlows ? [] : earlier.map((name) => flowPrefix + name.slice(prefix.length));
  return [...surplus.map(expiredCookie), await flowCookie(flow).keep(flow)];
}

/** The flow of a request that comes back from this provider, or null: too late, or of another one. */
export async function readOidcFlow(cookieHeader: string | null, wanted: Pick<OidcFlow, 'provider' | 'state'>) {
  const flow = await flowCookie(wanted).read(cookieHeader);
  return flow?.provider === wanted.provider && flow.state === wanted.state ? flow : null;
}

export const endedOidcFlow = (flow: OidcFlow) => flowCookie(flow).ended();

/** The cookie of a browser whose provider was asked to confirm the session. */
export const askedProvider = cookieOf('oidc-asked', z.object({}));

/** The cookie of an identity that the person still has to confirm before it is bound to an account. */
export const pendingIdentity = cookieOf('oidc-pending', z.object({ flow: OidcFlow, identity: Identity }));

/** The cookie of an account that its person proved, and that signs in once it is connected with a provider. */
export const provedAccount = cookieOf(
  'oidc-proved',
  z.object({ companyId: z.int(), accountId: z.int(), sessionVersion: z.int(), provider: z.string() }),
);
