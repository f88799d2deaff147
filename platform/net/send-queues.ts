import { readFile } from 'node:fs/promises';
import { parseIpAddress } from '#platform/config/ip-address.ts';

const unhex = (hex = '') => Number.parseInt(hex, 16);
// Each 32-bit word of an address is in the byte order of the machine, which is little-endian.
const ordered = (hex: string) => hex.replace(/(..)(..)(..)(..)/g, '$4$3$2$1');

function readAddress(hex: string): string | null {
  const words = ordered(hex).match(hex.length === 8 ? /../g : /..../g) ?? [];
  return parseIpAddress(hex.length === 8 ? words.map(unhex).join('.') : words.join(':'));
}

/**
 * Reads how many bytes the system still holds for the other ends of TCP connections, as `local port`,
 * `address` and `port` of the other end. Connections that this machine closed are included until all
 * was delivered. Linux only; elsewhere the list is empty.
 */
export async function listSendQueues(): Promise<{ localPort: number; address: string; port: number; bytes: number }[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return [...tables.join('').matchAll(/: \w+:(\w+) (\w+):(\w+) \w+ (?!0{8})(\w+):/g)].map(
    ([, local, address = '', port, bytes]) => ({
      localPort: unhex(local),
      address: readAddress(address) ?? '',
      port: unhex(port),
      bytes: unhex(bytes),
    }),
  );
}
