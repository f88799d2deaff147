import { z } from 'zod';
import { EnvError, oneOf, wholeNumber } from '#platform/config/checks.ts';
import { asPooled, hostsOf, isConnectionString } from '#platform/config/database-url.ts';

/** The connection strings in a text that has one for each server. */
export const addressesIn = (text = ''): string[] =>
  text
    .trim()
    .split(/\s+(?=postgres(?:ql)?:)/)
    .filter(Boolean);

// With several servers, the address of each.
const connectionStrings = z
  .string()
  .refine((text) => addressesIn(text).every(isConnectionString), {
    error:
      'must be like postgres://user:password@host:5432/database; with several servers one for each, and spaces between them',
  })
  .optional();

export const databaseSettings = {
  DATABASE_URL: connectionStrings,
  DATABASE_DIRECT_URL: connectionStrings,
  DATABASE_OWNER_URL: connectionStrings,
  DATABASE_CONNECTIONS: wholeNumber(5, 1000).optional(),
  DATABASE_DURABILITY: oneOf('checked', 'provider').default('checked'),
  /** The folder of a trial: its database, its secret and its demo sign-ins. */
  DATA_DIR: z.string().default('.data'),
};

/** Where the database is, for a sentence: ` at HOST:PORT`, or nothing in a trial. */
export function hostsOfSettings(): string {
  const hosts = addressesIn(process.env.DATABASE_URL).map(hostsOf).join(', ');
  return hosts === '' ? '' : ` at ${hosts}`;
}

/** As `databaseUrls`, with a space between the servers. */
export const databaseUrl = (): string => databaseUrls().join(' ');

/** The connection string of each server; a pooler's if DATABASE_DIRECT_URL is set. Throws `EnvError`. */
export function databaseUrls(): string[] {
  const given = `${process.env.DATABASE_URL} ${process.env.DATABASE_DIRECT_URL}`;
  if (known?.given !== given) known = { given, urls: readDatabaseUrls() };
  return known.urls;
}

// Every statement asks for them.
let known: { given: string; urls: string[] } | undefined;

function readDatabaseUrls(): string[] {
  const urls = addressesIn(process.env.DATABASE_URL);
  if (urls.length === 0) throw new EnvError('DATABASE_URL: is missing; only `npm start` brings a database of its own.');
  return process.env.DATABASE_DIRECT_URL ? urls.map(asPooled) : urls;
}

/**
 * The connection strings for LISTEN and migrations, which need a session of their own, one for each
 * server: DATABASE_DIRECT_URL, or else the same as `databaseUrls`. Throws as it does.
 */
export function directDatabaseUrls(): string[] {
  const urls = addressesIn(process.env.DATABASE_DIRECT_URL);
  if (urls.length === 0) return databaseUrls();
  if (urls.length !== databaseUrls().length)
    throw new EnvError('DATABASE_DIRECT_URL: must have as many addresses as DATABASE_URL.');
  return urls;
}

/**
 * Returns the connection string of the schema's owner and removes it from the environment, so that
 * no child process gets it. With several servers it has one for each. Undefined when it was not given.
 */
export function takeOwnerUrl(): string | undefined {
  const url = process.env.DATABASE_OWNER_URL || undefined;
  delete process.env.DATABASE_OWNER_URL;
  return url;
}

// The three pools of a process with one connection each, LISTEN and an export.
const minWorkerConnections = 5;

/** The connections of the supervisor of several processes: its pool of 2, and a migration. */
export const supervisorConnections = 3;

/** The fewest connections for this number of processes. A reload runs one more. */
export function minConnections(processes: number): number {
  if (processes === 1) return minWorkerConnections;
  return supervisorConnections + (processes + 1) * minWorkerConnections;
}
