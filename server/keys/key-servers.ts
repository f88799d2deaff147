import { sqlForCalls } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import type { Rows } from '#db/schema/rows.ts';
import { countServers, findOnServers, serverOf } from '#db/servers.ts';

// The companies of keys that called recently. The company of a key never changes.
const companies = new Map<string, number>();
const maxCompanies = 10_000;

/**
 * The server that has the key with this fingerprint (hex). An unknown key has none; it is looked for
 * again at its next call, and 0 is returned. Whether a key is valid is never kept.
 */
export async function findKeyServer(fingerprint: string): Promise<number> {
  if (countServers() === 1) return 0;
  const known = companies.get(fingerprint);
  if (known !== undefined) return serverOf(known);
  const find = async () => {
    const [key] = await sqlForCalls()<Pick<Rows['apiKeys'], 'companyId'>[]>`
      select company_id as "companyId" from api_keys where fingerprint = decode(${fingerprint}, 'hex')`;
    return key;
  };
  const key = await withDeadline(() => findOnServers(find));
  if (companies.size >= maxCompanies) companies.clear();
  if (!key) return 0;
  companies.set(fingerprint, key.companyId);
  return serverOf(key.companyId);
}
