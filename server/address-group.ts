import { isIPv6 } from 'node:net';

const groupsOfPrefix = 4;

/**
 * The part of a client address that one subscriber has: an IPv4 address whole, of an IPv6 address
 * the first 64 bits (`2001:db8:0:1::/64`), because each subscriber may use all addresses in it.
 * Limits by client address count this. Other texts, such as `unknown`, are returned as they are.
 */
export function addressGroup(address: string): string {
  const plain = address.replace(/^\[|\]$|%.*$/g, '');
  if (!isIPv6(plain)) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  // A URL writes an address in one way: lower case, the longest run of zeros shortened.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  const all = [...(first ?? []), ...Array.from({ length: zeros }, () => '0'), ...(last ?? [])];
  return `${all.slice(0, groupsOfPrefix).join(':')}::/64`;
}
