import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * Reads an IP address as proxies write it: with a port, in brackets, in quotes, with a zone. Returns
 * its short spelling, of an IPv4 address in IPv6 form as IPv4. Null for every other text.
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

const groupsOfPrefix = 4;

/**
 * The part of a client address that identifies a subscriber: all of an IPv4 address, and the first
 * 64 bits of an IPv6 address (`2001:db8:0:1::/64`), because a subscriber may use all addresses of a
 * /64. Limits by client address use it. Other texts, such as `unknown`, are returned as they are.
 */
export function addressGroup(address: string): string {
  const plain = parseIpAddress(address);
  if (plain === null || !isIPv6(plain)) return plain ?? address;
  const groupsOf = (text: string) => text.split(':').filter(Boolean);
  const zeros = ':0'.repeat(8 - groupsOf(plain).length);
  const groups = groupsOf(plain.replace('::', `${zeros}:`));
  return `${groups.slice(0, groupsOfPrefix).join(':')}::/64`;
}
