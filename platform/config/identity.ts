import { timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { EnvError, isOwnMachine, oneOf, parseJson } from '#platform/config/checks.ts';

/** The secret that encrypts sign-in cookies. Throws `EnvError` when it was not given. */
export function authSecret(): string {
  const secret = process.env.AUTH_SECRET;
  if (!secret)
    throw new EnvError('AUTH_SECRET: is missing; with DATABASE_URL it must be set (try: openssl rand -base64 33).');
  return secret;
}

/** The secrets that decrypt sign-in cookies: the one that encrypts, and that of before a change. */
export const cookieSecrets = (): string[] =>
  [authSecret(), process.env.AUTH_SECRET_PREVIOUS ?? ''].filter((key) => key !== '');

/** Compares two signatures or codes in a time that does not tell where they differ. */
export const isSameSecret = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const Provider = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{0,99}$/, 'may contain a-z, 0-9, dots and hyphens, and begins with a-z or 0-9')
      .optional(),
    issuer: z.string().refine(isIssuer, 'must begin with https:// and have no query (http:// on this machine only)'),
    clientId: z.string().min(1),
    clientSecret: z.string().min(1),
    label: z.string().trim().min(1).max(40),
    ca: z.string().refine(existsSync, 'must be the path of a file that this user can reach').optional(),
    mfa: z.literal('always').optional(),
    sessionHours: z.int().min(1).max(720).default(12),
  })
  .transform((provider) => ({ ...provider, id: provider.id ?? new URL(provider.issuer).hostname }));

/**
 * A provider of OpenID Connect. `id` ends its redirect address, `label` is its name on buttons. `ca`: the file of its
 * certificates. `mfa: 'always'`: each sign-in is two factors. A session asks it again after `sessionHours`.
 */
export type OidcProvider = z.output<typeof Provider>;

const Providers = z
  .array(Provider)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two providers have the same id')
  .refine((all) => new Set(all.map(({ issuer }) => issuer)).size === all.length, 'two providers have the same issuer');

/** The setting OIDC_PROVIDERS: a JSON list. Its problems never contain a value, which may be secret. */
export const oidcProviders = z
  .string()
  .transform((text, context) => {
    const { data, error } = Providers.safeParse(parseJson(text));
    if (data) return data;
    const [issue] = error.issues;
    const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    context.addIssue({ code: 'custom', message: `must be a JSON list of providers; ${place}${issue?.message}` });
    return z.NEVER;
  })
  .default(() => []);

const secret = z.string().min(32, 'must have at least 32 characters (try: openssl rand -base64 33)').optional();

export const identitySettings = {
  AUTH_SECRET: secret,
  AUTH_SECRET_PREVIOUS: secret,
  SIGN_UP: oneOf('open', 'closed').default('closed'),
  OIDC_PROVIDERS: oidcProviders,
};

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search || hash || username) return false;
  return protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname.replace(/^\[|\]$/g, '')));
}
