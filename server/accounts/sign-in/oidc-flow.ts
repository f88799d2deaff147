import { z } from 'zod';
import {
  type CookieToSet,
  decryptCookie,
  encryptCookie,
  expiredCookie,
  hostCookieName,
} from '#server/accounts/sessions/cookie.ts';

const flowPrefix = 'oidc-flow-';
const maxAgeSeconds = 15 * 60;

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

const nameOfFlow = (state: string) => flowPrefix + state.replace(/[^\w-]/g, '').slice(0, 12);

/** The cookie that keeps a flow for 15 minutes, encrypted. With too many flows, also those that remove the earlier ones. */
export async function keepOidcFlow(flow: OidcFlow, cookieNames: string[]): Promise<CookieToSet[]> {
  const prefix = hostCookieName(flowPrefix);
  const earlier = cookieNames.filter((name) => name.startsWith(prefix));
  const surplus = earlier.length < maxFlows ? [] : earlier.map((name) => flowPrefix + name.slice(prefix.length));
  return [...surplus.map(expiredCookie), await cookieOf(nameOfFlow(flow.state), OidcFlow).keep(flow)];
}

/** The flow of a request that comes back from this provider, or null: too late, or of another one. */
export async function readOidcFlow(cookieHeader: string | null, wanted: Pick<OidcFlow, 'provider' | 'state'>) {
  const flow = await cookieOf(nameOfFlow(wanted.state), OidcFlow).read(cookieHeader);
  return flow?.provider === wanted.provider && flow.state === wanted.state ? flow : null;
}

export const endedOidcFlow = ({ state }: OidcFlow) => expiredCookie(nameOfFlow(state));

// A cookie that keeps a content of this form for 15 minutes, encrypted.
const cookieOf = <Content extends Record<string, unknown>>(name: string, form: z.ZodType<Content>) => ({
  keep: (content: Content): Promise<CookieToSet> => encryptCookie(name, content, maxAgeSeconds),
  read: async (cookieHeader: string | null): Promise<Content | null> =>
    form.safeParse(await decryptCookie(cookieHeader, name)).data ?? null,
  ended: (): CookieToSet => expiredCookie(name),
});

/** The cookie of a browser whose provider was asked to confirm the session. */
export const askedProvider = cookieOf('oidc-asked', z.object({}));

/** The cookie of an identity that the person still has to confirm before it is bound to an account. */
export const pendingIdentity = cookieOf('oidc-pending', z.object({ flow: OidcFlow, identity: Identity }));

/** The cookie of an account that its person proved, and that signs in once it is connected with a provider. */
export const provedAccount = cookieOf(
  'oidc-proved',
  z.object({ companyId: z.int(), accountId: z.int(), sessionVersion: z.int(), provider: z.string() }),
);
