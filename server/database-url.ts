import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** One server of a connection string. */
export type Host = { host: string; port: number };

/**
 * What a connection string says. `url` is what is left for the driver: one host, and no parameter that we read ourselves. `tls` is null
 * for none; with `isTlsOptional` a server without it is taken too. `isPooled`: PgBouncer or its like gives each transaction another session.
 */
export type Address = {
  url: string;
  hosts: Host[];
  tls: ConnectionOptions | null;
  isTlsOptional: boolean;
  isPooled: boolean;
  prepare: boolean;
};

const shape = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]+)([^@]*)$/;

/** Whether a text is a connection string: `postgres://user:password@host:port/database?…`, of one host or several with commas between. */
export function isConnectionString(text: string): boolean {
  const [, start, hosts = '', rest] = shape.exec(text) ?? [];
  return hosts !== '' && hosts.split(',').every((host) => URL.canParse(`${start}${host}${rest}`));
}

/** The hosts of a connection string as they are written there, with their ports and without anything secret. */
export function hostsOf(url: string): string {
  return shape.exec(url)?.[2] ?? '';
}

/** The same connection string, marked as that of a pooler in transaction mode. */
export function asPooled(url: string): string {
  return /[?&]pgbouncer=/.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}pgbouncer=true`;
}

/**
 * Reads a connection string. Beside the driver's own parameters it knows `sslmode`, `sslrootcert` (a file, or `system`) and `channel_binding`
 * as PostgreSQL's programs do, and `pgbouncer=true`. Throws when the file of `sslrootcert` cannot be read.
 */
export function readAddress(given: string): Address {
  const [, start = '', list = '', rest = ''] = shape.exec(given) ?? [];
  const hosts = list.split(',').map((one) => {
    const { hostname, port } = new URL(`postgres://${one}`);
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
  // Which of several hosts takes writes is found out by us.
  take('target_session_attrs');
  const mode = take('sslmode') ?? take('ssl');
  const tls = readTls(mode, take('sslrootcert'), take('channel_binding'));
  return { url: url.href, hosts, tls, isTlsOptional: mode === 'prefer', isPooled, prepare: prepare !== 'false' };
}

// As in libpq: `require` encrypts and checks nothing unless a root certificate is given, `verify-ca` checks who signed, `verify-full` the name too.
// Channel binding, which the driver does not have, is there against somebody between; so is a checked certificate.
function readTls(mode: string | null, root: string | null, binding: string | null): ConnectionOptions | null {
  const isFull = mode === 'verify-full' || root === 'system' || binding === 'require';
  if (!isFull && (mode === null || mode === 'disable' || mode === 'false')) return null;
  const ca = root && root !== 'system' ? readFileSync(root, 'utf8') : undefined;
  if (isFull) return { ca };
  if (mode === 'verify-ca' || ca) return { ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}
