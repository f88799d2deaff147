import { z } from 'zod';
import { decryptCookie, encryptCookie, expiredCookie } from '#server/accounts/sessions/cookie.ts';

const cookieName = 'oidc-flow';
const maxAgeSeconds = 15 * 60;

const Purpose = z.enum(['sign-in', 'link', 'reauthenticate', 'join']);

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
});

/**
 * What a person is sent to a provider for, and where they go on. `sessionId` is the session that they
 * had, `token` their invitation.
 */
export type OidcFlow = z.infer<typeof OidcFlow>;

/** The cookie that keeps a flow for 15 minutes, encrypted. A later one replaces it. */
export const keepOidcFlow = (flow: OidcFlow) => encryptCookie(cookieName, flow, maxAgeSeconds);

/** The flow of a request that comes back from this provider, or null: too late, or of another one. */
export async function readOidcFlow(cookieHeader: string | null, provider: string): Promise<OidcFlow | null> {
  const { data: flow } = OidcFlow.safeParse(await decryptCookie(cookieHeader, cookieName));
  return flow?.provider === provider ? flow : null;
}

export const endedOidcFlow = () => expiredCookie(cookieName);
