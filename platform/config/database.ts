import { z } from 'zod';
import { EnvError, oneOf, wholeNumber } from '#platform/config/checks.ts';
import { asPooled, hostsOf, isConnectionString } from '#platform/config/database-url.ts';

const connectionString = z
  .string()
  .refine((text) => !/[\s,;]postgres(?:ql)?:\/\//.test(text.trim()), {
    error: 'has several addresses, but the service uses one PostgreSQL server; docs/scale.md says how much one can do',
    abort: true,
  })
  .refine(isConnectionString, 'must be like postgres://user:password@host:5432/database')
  .optional();

export const databaseSettings = {
  DATABASE_URL: connectionString,
  DATABASE_DIRECT_URL: connectionString,
  DATABASE_OWNER_URL: connectionString,
  DATABASE_CONNECTIONS: wholeNumber(5, 1000).optional(),
  DATABASE_DURABILITY: oneOf('checked', 'provider').default('checked'),
  /** The folder of a trial: its database, its secret and its demo sign-ins. */
  DATA_DIR: z.string().default('.data'),
};

/** Where DATABASE_URL leads, without the password; empty in a trial. */
export const hostsOfSettings = (): string => hostsOf(process.env.DATABASE_URL ?? '');

// Also checked here, because a migration needs no other setting.
function readAddress(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL'): string | undefined {
  const { data, error } = connectionString.safeParse(process.env[name] || undefined);
  if (error) throw new EnvError(`${name}: ${error.issues[0]?.message}.`);
  return data;
}

/** The connection string; a pooler's if DATABASE_DIRECT_URL is set. Throws `EnvError`. */
export function databaseUrl(): string {
  const url = readAddress('DATABASE_URL');
  if (!url) throw new EnvError('DATABASE_URL: is missing; only `npm start` brings a database of its own.');
  return readAddress('DATABASE_DIRECT_URL') ? asPooled(url) : url;
}

/**
 * The connection string for LISTEN and migrations, which need a session of their own:
 * DATABASE_DIRECT_URL, or else the same as `databaseUrl`. Throws as it does.
 */
export function directDatabaseUrl(): string {
  return readAddress('DATABASE_DIRECT_URL') ?? databaseUrl();
}

/**
 * Returns the connection string of the schema's owner and removes it from the environment, so that
 * no child process gets it. Undefined when it was not given. Throws `EnvError`.
 */
export function takeOwnerUrl(): string | undefined {
  const url = readAddress('DATABASE_OWNER_URL');
  delete process.env.DATABASE_OWNER_URL;
  return url;
}
