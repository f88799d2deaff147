import { sqlForCalls } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { countServers, findOnServers } from '#db/servers.ts';

// The servers of keys that called recently. The server of a key never changes.
const servers = new Map<string, number>();
const maxServers = 10_000;

/**
 * The server that has the key with this fingerprint (hex). An unknown key has none; it is looked for
 * again at its next call, and 0 is returned. Whether a key is valid is never kept.
 */
export async function findKeyServer(fingerprint: string): Promise<number> {
  if (countServers() === 1) return 0;
  const known = servers.get(fingerprint);
  if (known !== undefined) return known;
  const find = async (server: number) => {
    const found = await sqlForCalls()`select from api_keys where fingerprint = decode(${fingerprint}, 'hex')`;
    return found.length > 0 ? server : null;
  };
  const server = await withDeadline(() => findOnServers(find));
  if (servers.size >= maxServers) servers.clear();
  if (server !== null) servers.set(fingerprint, server);
  return server ?? 0;
}
