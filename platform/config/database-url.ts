import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

export type Host = { host: string; port: number };

/**
 * A parsed connection string. `url` is for the driver: one host, without the parameters that are
 * read here. `tls` is null without TLS; with `isTlsOptional` a server without TLS is accepted.
 * `lacksTls`: another machine is reached without TLS, and nothing in the string asks for that.
 * `isPooled`: a pooler gives each transaction another session.
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

/** Whether a text is `postgres://user:password@host:port/database?…`, with one or more hosts. */
export function isConnectionString(text: string): boolean {
  const [, start, hosts = '', rest] = shape.exec(text) ?? [];
  return hosts !== '' && hosts.split(',').every((host) => URL.canParse(`${start}${host}${rest}`));
}

/** The host list of a connection string as written, with ports and without the password. */
export function hostsOf(url: string): string {
  return shape.exec(url)?.[2] ?? '';
}

/** Marks a connection string as one of a pooler in transaction mode, unless it says so already. */
export function asPooled(url: string): string {
  return /[?&]pgbouncer=/.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}pgbouncer=true`;
}

/**
 * Parses a connection string. Reads `sslmode`, `sslrootcert` (a file or `system`) and
 * `channel_binding` as libpq does, and `pgbouncer=true`; leaves other parameters to the driver.
 * Throws when the file of `sslrootcert` cannot be read.
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

// As in libpq: `require` encrypts, and checks the signer only with a given root certificate;
// `verify-ca` checks the signer; `verify-full` also checks the name. The driver has no channel
// binding, which protects against a man in the middle; a fully checked certificate does so too.
function readTls(mode: string | null, root: string | null, binding: string | null): ConnectionOptions | null {
  const isFull = mode === 'verify-full' || root === 'system' || binding === 'require';
  if (!isFull && (mode === null || mode === 'disable' || mode === 'false')) return null;
  const ca = root && root !== 'system' ? readFileSync(root, 'utf8') : undefined;
  if (isFull) return { ca };
  if (mode === 'verify-ca' || ca) return { ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}
