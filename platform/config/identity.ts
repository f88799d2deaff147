import { z } from 'zod';
import { EnvError, oneOf } from '#platform/config/checks.ts';
import { oidcProviders } from '#platform/config/oidc-providers.ts';

const secret = z.string().min(32, 'must have at least 32 characters (try: openssl rand -base64 33)').optional();

/** Who may sign in and register, and the secrets of the sign-in cookies. */
export const identitySettings = {
  AUTH_SECRET: secret,
  AUTH_SECRET_PREVIOUS: secret,
  SIGN_UP: oneOf('open', 'closed').default('closed'),
  OIDC_PROVIDERS: oidcProviders,
};

/** The secret that encrypts sign-in cookies. Throws `EnvError` when it was not given. */
export function authSecret(): string {
  const secret = process.env.AUTH_SECRET;
  if (!secret)
    throw new EnvError('AUTH_SECRET: is missing; with DATABASE_URL it must be set (try: openssl rand -base64 33).');
  return secret;
}

/**
 * The secrets that decrypt sign-in cookies. The first also encrypts new cookies. The second,
 * AUTH_SECRET_PREVIOUS, is for cookies from before a change of the secret.
 */
export function cookieSecrets(): string[] {
  return [authSecret(), process.env.AUTH_SECRET_PREVIOUS ?? ''].filter((key) => key !== '');
}
