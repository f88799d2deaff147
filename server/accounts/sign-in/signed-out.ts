import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { env } from '#platform/config/settings.ts';
import { cookieOptions, expiredCookie, hostCookieName, readCookie } from '#server/accounts/sessions/cookie.ts';

const cookieName = 'signed-out';
const maxAge = 30 * 24 * 60 * 60;

/**
 * The cookie of a browser in which somebody signed out, with the provider of that session, if any. Who
 * presses the button of a provider next may be somebody else: the provider asks which account it is.
 */
export const rememberSignOut = (issuer: string | null) => ({
  name: hostCookieName(cookieName),
  maxAge,
  ...cookieOptions(),
  value: env().OIDC_PROVIDERS.find((provider) => provider.issuer === issuer)?.id ?? 'none',
});

/** Removes what `rememberSignOut` keeps: somebody has signed in. */
export const forgottenSignOut = () => expiredCookie(cookieName);

export const hasSignedOut = (cookieHeader: string | null): boolean =>
  readCookie(cookieHeader, hostCookieName(cookieName)) !== null;

/** The provider of the session that ended last in this browser, or null: it had none, or somebody has signed in since. */
export function findLastProvider(cookieHeader: string | null): OidcProvider | null {
  const id = readCookie(cookieHeader, hostCookieName(cookieName));
  return env().OIDC_PROVIDERS.find((provider) => provider.id === id) ?? null;
}
