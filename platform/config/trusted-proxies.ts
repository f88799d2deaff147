import { BlockList, isIP, isIPv4 } from 'node:net';
import { parseIpAddress } from '#platform/config/ip-address.ts';

type IsTrusted = (address: string) => boolean;

const ownAddresses = ['127.0.0.1', '::1'];

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/**
 * Reads TRUSTED_PROXIES: addresses and networks (CIDR), separated by commas. The proxy of this
 * machine, 127.0.0.1 and ::1, is always trusted, except with the word `none` alone.
 */
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

/** The proxies that are trusted without a setting: those of this machine. */
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
