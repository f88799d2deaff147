import type { IncomingMessage } from 'node:http';
import { parseIpAddress } from '#platform/config/ip-address.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';

type Received = Pick<IncomingMessage, 'socket' | 'headers'>;

/** Whether the other end of a connection is a trusted proxy (TRUSTED_PROXIES). */
export function isFromProxy({ remoteAddress = '' }: Pick<Received['socket'], 'remoteAddress'>): boolean {
  const peer = parseIpAddress(remoteAddress);
  return peer !== null && env().TRUSTED_PROXIES(peer);
}

/**
 * The client's IP address, or `'unknown'` when its connection has closed: the other end of the connection; when that is
 * a trusted proxy, the last address in `X-Forwarded-For` that is not one. A client can forge everything before it.
 */
export function clientAddressOf({ socket, headers }: Received): string {
  const peer = parseIpAddress(socket.remoteAddress ?? '') ?? 'unknown';
  return isFromProxy(socket) ? (lastStranger(String(headers['x-forwarded-for'] ?? '')) ?? peer) : peer;
}

/** The client's address for the pages: in `X-Forwarded-For` from the front, or from the hosting platform. */
export const forwardedAddress = (header: string | null | undefined): string => lastStranger(header ?? '') ?? 'unknown';

const ownMachine = /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

const hostnameOf = (host: string) => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '');

/**
 * Whether a `Host` header names neither the host of APP_URL, with any port, nor this machine. A trusted proxy may use
 * any name but a public one (with a dot). So may everybody where APP_URL is on this machine: a public name there is
 * that of a stranger's page, which leads it here.
 */
export function isForOtherHost(header: string | null | undefined, isProxy: boolean): boolean {
  const own = new URL(env().APP_URL).hostname;
  const host = hostnameOf(header ?? '').replace(/\.$/, '');
  if (host === own || ownMachine.test(host)) return false;
  const isPublicName = parseIpAddress(host) === null && host.includes('.');
  return isPublicName || !(isProxy || ownMachine.test(own));
}

// The last address that is not a trusted proxy. A text that is not an address ends the search.
// Then, and at the end of the list, the last proxy counts as the client. Null without any address.
function lastStranger(list: string): string | null {
  let client: string | null = null;
  for (let end = list.length; end > 0; ) {
    const start = list.lastIndexOf(',', end - 1);
    const address = parseIpAddress(list.slice(start + 1, end));
    if (address === null) break;
    client = address;
    if (!env().TRUSTED_PROXIES(address)) break;
    end = start;
  }
  return client;
}

// Each process warns once for each of the first three addresses: strangers can send the header too.
const warnedAbout = new Set<string>();

/** Counts, and logs once, requests forwarded by a machine that is not trusted. */
export function noteUntrustedProxy({ socket, headers }: Received): void {
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
  const address = parseIpAddress(socket.remoteAddress ?? '');
  if (address === null || env().TRUSTED_PROXIES(address)) return;
  metrics()?.count('untrusted_proxy_requests');
  if (warnedAbout.size >= 3 || warnedAbout.has(address)) return;
  warnedAbout.add(address);
  log().warn(
    { address, setting: 'TRUSTED_PROXIES' },
    'a request with X-Forwarded-For came from a machine that is not trusted; if it is your proxy, set TRUSTED_PROXIES',
  );
}
