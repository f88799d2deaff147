import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * Reads an IP address as proxies write it: with a port, in brackets, in quotes, with a zone.
 * Returns it in its one short spelling, an IPv4 address in IPv6 form as IPv4. Null for every other
 * text.
 */
export function parseIpAddress(text: string): string | null {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1];
  const address = (inBrackets ?? bare.replace(/^([\d.]+):\d{1,5}$/, '$1')).replace(/%.*$/, '');
  if (inBrackets === undefined && isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  return short.replace(/^::ffff:(?=[\d.]+$)/, '');
}
