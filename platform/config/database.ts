import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { z } from 'zod';
import { EnvError, oneOf, wholeNumber } from '#platform/config/checks.ts';

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

/** The connection string for LISTEN and migrations, which need a separate session. */
export const directDatabaseUrl = (): string => readAddress('DATABASE_DIRECT_URL') ?? databaseUrl();

/** The connection string of the schema's owner, which leaves the environment: no child process gets it. */
export function takeOwnerUrl(): string | undefined {
  const url = readAddress('DATABASE_OWNER_URL');
  delete process.env.DATABASE_OWNER_URL;
  return url;
}

export type Host = { host: string; port: number };

/**
 * A parsed connection string. `url` is for the driver: one host, without the parameters that are read here.
 * `isTlsOptional`: a server without TLS is accepted. `lacksTls`: another machine is reached without TLS, and nothing
 * asks for that. `isPooled`: a pooler gives each transaction another session.
 */
export type Address = {
  url: string;
  hosts: Host[];
  tls: ConnectionOptions | null;
  isTlsOptional: boolean;
  lacksTls: boolean;
  isPooled: boolean;
  prepare: boolean;
};

// This machine, or the folder of a socket.
const ownMachine = /^(?:localhost$|127\.|::1$|\/|%2f)/i;
const shape = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]+)([^@]*)$/;

export function isConnectionString(text: string): boolean {
  const [, start, hosts = '', rest] = shape.exec(text) ?? [];
  return hosts !== '' && hosts.split(',').every((host) => URL.canParse(`${start}${host}${rest}`));
}

/** The host list of a connection string as written, with ports and without the password. */
export const hostsOf = (url: string): string => shape.exec(url)?.[2] ?? '';

/** Marks a connection string as one of a pooler in transaction mode, unless it says so already. */
export const asPooled = (url: string): string =>
  /[?&]pgbouncer=/.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}pgbouncer=true`;

/**
 * Parses a connection string. Reads `sslmode`, `sslrootcert` (a file or `system`) and `channel_binding` as libpq does,
 * and `pgbouncer=true`. Throws when the file of `sslrootcert` cannot be read.
 */
export function parseDatabaseUrl(text: string): Address {
  const [, start = '', list = '', rest = ''] = shape.exec(text) ?? [];
  const hosts = list.split(',').map((entry) => {
    const { hostname, port } = new URL(`postgres://${entry}`);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) };
  });
  const url = new URL(`${start}${list.split(',')[0]}${rest}`);
  const take = (name: string) => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value;
  };
  const isPooled = take('pgbouncer') === 'true';
  const prepare = take('prepare') ?? String(!isPooled);
  // `choosePrimary` finds the host that takes writes.
  take('target_session_attrs');
  const mode = take('sslmode') ?? take('ssl');
  const tls = readTls(mode, take('sslrootcert'), take('channel_binding'));
  const lacksTls = tls === null && mode === null && hosts.some(({ host }) => !ownMachine.test(host));
  const isTlsOptional = mode === 'prefer';
  return { url: url.href, hosts, tls, isTlsOptional, lacksTls, isPooled, prepare: prepare !== 'false' };
}

// As in libpq: `require` encrypts, and checks the signer only with a given root; `verify-ca` checks the signer;
// `verify-full` the name too. The driver has no channel binding; a fully checked certificate protects as well.
function readTls(mode: string | null, root: string | null, binding: string | null): ConnectionOptions | null {
  const isFull = mode === 'verify-full' || root === 'system' || binding === 'require';
  if (!isFull && (mode === null || mode === 'disable' || mode === 'false')) return null;
  const ca = root && root !== 'system' ? readFileSync(root, 'utf8') : undefined;
  if (isFull) return { ca };
  if (mode === 'verify-ca' || ca) return { ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}
