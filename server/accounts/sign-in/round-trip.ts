import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';
import { authSecret } from '#platform/config/identity.ts';
import { type CookieToSet, cookieOptions, hostCookieName, readCookie } from '#server/accounts/sessions/cookie.ts';

const maxAgeSeconds = 15 * 60;

const RoundTrip = z.object({
  purpose: z.enum(['sign-in', 'link', 'reauthenticate', 'join']),
  provider: z.string(),
  returnTo: z.string(),
  sessionId: z.int().nullable(),
  token: z.string(),
});

/**
 * What a person is sent to a provider for, and where they go on. `sessionId` is the session that they
 * had, `token` their invitation.
 */
export type RoundTrip = z.infer<typeof RoundTrip>;

/** The purpose that a form names, by default to sign in. */
export const asPurpose = (given: string | undefined): RoundTrip['purpose'] =>
  RoundTrip.shape.purpose.safeParse(given).data ?? 'sign-in';

const cookieName = () => hostCookieName('round-trip');

/** The cookie that keeps a round trip for 15 minutes, encrypted. A later one replaces it. */
export async function keepRoundTrip(trip: RoundTrip): Promise<CookieToSet> {
  const name = cookieName();
  const value = await encode({ token: trip, secret: authSecret(), salt: name, maxAge: maxAgeSeconds });
  return { name, value, maxAge: maxAgeSeconds, ...cookieOptions() };
}

/** The round trip of a request that comes back from this provider, or null: too late, or of another one. */
export async function readRoundTrip(cookieHeader: string | null, provider: string): Promise<RoundTrip | null> {
  const name = cookieName();
  const token = readCookie(cookieHeader, name) ?? '';
  const trip = RoundTrip.safeParse(await decode({ token, secret: authSecret(), salt: name }).catch(() => null)).data;
  return trip?.provider === provider ? trip : null;
}

export const endedRoundTrip = (): CookieToSet => ({ name: cookieName(), value: '', maxAge: 0, ...cookieOptions() });
