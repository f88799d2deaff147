import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * Reads an IP address as proxies write it: with a port, in brackets, in quotes, with a zone. Returns its short
 * spelling, IPv4 in IPv6 form as IPv4. Null for every other text.
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

/**
 * The part of an address that identifies a subscriber, for limits: all of an IPv4 address, the /64 of an IPv6 one
 * (`2001:db8:0:1::/64`). Other texts, such as `unknown`, stay as they are.
 */
export function addressGroup(address: string): string {
  const plain = parseIpAddress(address);
  if (plain === null || !isIPv6(plain)) return plain ?? address;
  const groupsOf = (text: string) => text.split(':').filter(Boolean);
  const zeros = ':0'.repeat(8 - groupsOf(plain).length);
  const groups = groupsOf(plain.replace('::', `${zeros}:`));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

type IsTrusted = (address: string) => boolean;

const ownAddresses = ['127.0.0.1', '::1'];

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Reads TRUSTED_PROXIES: addresses and networks (CIDR). This machine is trusted too, except with the word `none`. */
export function readProxies(text: string): IsTrusted | { wrong: string } {
  const proxies = new BlockList();
  if (text.trim() === 'none') return () => false;
  for (const own of ownAddresses) proxies.addAddress(own, familyOf(own));
  for (const entry of text.split(',').map((part) => part.trim())) {
    const problem = addProxy(proxies, entry);
    if (problem) return { wrong: `"${entry.slice(0, 60)}" ${problem}` };
  }
  return (address) => proxies.check(address, familyOf(address));
}

export const trustOwnMachine = readProxies(ownAddresses.join(',')) as IsTrusted;

const help = 'is not an address such as 10.0.0.5 or a network such as 10.0.0.0/24; separate several by commas';

// Adds an address or a network. Returns what is wrong with the entry, or null.
function addProxy(proxies: BlockList, entry: string): string | null {
  const [, host = '', length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
  const address = isIP(host) === 0 ? null : parseIpAddress(host);
  if (address === null) return help;
  const family = familyOf(address);
  const bits = family === 'ipv4' ? 32 : 128;
  // An IPv4 network in IPv6 form has 96 bits before its own.
  const prefix = length === undefined ? bits : Number(length) - (host.includes(':') ? 128 - bits : 0);
  if (prefix > bits || prefix < 0) return help;
  if (prefix === 0) return 'trusts every machine: then anybody can claim any address';
  proxies.addSubnet(address, prefix, family);
  return null;
}
