import { sql } from '#db/client.ts';
import type { KeyCall } from '#server/keys/key-overview.ts';
import { type RefusedCall, refusedCallColumns } from '#server/keys/refusals.ts';
import type { Owner } from '#server/principals.ts';

/**
 * The current activity of a key. `refusals` are the newest 3 of the last 15 minutes, including
 * calls without a key.
 */
export type KeyWatch = {
  now: Date;
  revokedAt: Date | null;
  lastUse: KeyCall | null;
  requests: number;
  refusals: RefusedCall[];
};

const maxRefusalsRead = 200;

/**
 * Finds the activity of a key, about a second old; null when the company has no such key. Calls
 * without a key are included only when the service has one company, because otherwise their company
 * is unknown.
 */
export async function watchKey(owner: Owner, id: number): Promise<KeyWatch | null> {
  const [row] = await sql()<(KeyCall & Pick<KeyWatch, 'now' | 'revokedAt' | 'requests'>)[]>`
    select now() as now, k.revoked_at as "revokedAt", u.last_at as at, u.operation, u.address, u.client,
      (select coalesce(sum(requests), 0)::int from key_traffic t
        where t.company_id = k.company_id and t.key_id = k.id and t.hour > now() - interval '24 hours') as requests
    from api_keys k left join key_uses u on u.company_id = k.company_id and u.key_id = k.id
    where k.company_id = ${owner.companyId} and k.id = ${id}`;
  if (!row) return null;
  const { now, revokedAt, requests, ...call } = row;
  const refusals = await sql()<RefusedCall[]>`
    select ${refusedCallColumns()}
    from (select * from refusals where company_id = ${owner.companyId} order by id desc limit ${maxRefusalsRead}) r
    left join api_keys k on k.company_id = r.company_id and k.id = r.key_id
    where (r.key_id = ${id} or r.key_id is null) and r.at > now() - interval '15 minutes'
      and r.at >= (select created_at from api_keys where company_id = ${owner.companyId} and id = ${id})
    order by r.id desc limit 3`;
  return { now, revokedAt, requests, lastUse: call.at && call, refusals };
}
