import { isIPv6 } from 'node:net';
import { readAddress } from '#server/ip-address.ts';

const groupsOfPrefix = 4;

/**
 * The part of a client address that one subscriber has: an IPv4 address whole, of an IPv6 address
 * the first 64 bits (`2001:db8:0:1::/64`), because each subscriber may use all addresses in it.
 * Limits by client address count this. Other texts, such as `unknown`, are returned as they are.
 */
export function addressGroup(address: string): string {
  const plain = readAddress(address);
  if (plain === null || !isIPv6(plain)) return plain ?? address;
  const [head = '', tail] = plain.split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  const all = [...(first ?? []), ...Array.from({ length: zeros }, () => '0'), ...(last ?? [])];
  return `${all.slice(0, groupsOfPrefix).join(':')}::/64`;
}
