import { byId, db, findRow, matches, type Rows } from '#db/client.ts';
import { and, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from '#db/drizzle.cjs';
import { apiKeys, keyTraffic, keyUses, refusals } from '#db/schema/tables.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import { expiryState, fingerprintStartOf, k, lastValidDay } from '#server/keys/keys.ts';
import { readRejectedRequests } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

export type KeyCall = { at: Date; operation: string | null; address: string; client: string };

/**
 * A key with its use. `requests`, `refused`: of the last 24 hours, by whole hours; `hourly`: the requests of each.
 * `unused`: created, or last used, over 90 days ago. `expiry`: its last valid day, and whether it is near or over.
 */
export type KeyOverview = Awaited<ReturnType<typeof readKeys>>[number];

type FlatCall = { at: Date | null; operation: string | null; address: string | null; client: string | null };

// A browser's User-Agent is too long for a phone.
const shortClient = (client: string) => (client.startsWith('Mozilla/') && describeBrowser(client, ' · ')) || client;

const asCall = ({ at, operation, address, client }: FlatCall): KeyCall | null =>
  at && { at, operation, address: address ?? '', client: shortClient(client ?? '') };

// A misplaced key is rejected before it is counted, so these requests are added from `refusals`.
const maxRejectedRead = 500;

type OverviewRow = Omit<
  Rows['apiKeys'],
  'companyId' | 'createdBy' | 'expectedSince' | 'silentSince' | 'silenceCheckAt'
> &
  FlatCall & {
    expiresOn: string | null;
    expiryState: 'later' | 'soon' | 'expired';
    firstUsedAt: Date | null;
    requests: number;
    refused: number;
    hourly: number[];
    unused: boolean;
  };

/** Lists the keys of the owner's company that are not revoked, expired ones too, newest first. */
export const listActiveKeys = (owner: Owner) => readKeys(owner, isNull(k.revokedAt));

/** Finds a key of the owner's company, also a revoked one; null when there is none. */
export const findKeyOverview = (owner: Owner, id: number) => findRow(readKeys(owner, eq(k.id, id)));

async function readKeys({ companyId, timeZone }: Owner, condition: SQL) {
  // As text: a report of sums over hours that the builder has no table for.
  const rows = await db().execute<OverviewRow>(sql`
    select k.id, k.name, k.fingerprint, k.note, k.created_at as "createdAt",
      k.revoked_at as "revokedAt", k.must_confirm as "mustConfirm", k.expected_every_minutes as "expectedEveryMinutes",
      ${lastValidDay(timeZone, k)} as "expiresOn", k.expires_at as "expiresAt", ${expiryState(k)} as "expiryState",
      k.replaces_id as "replacesId", u.first_at as "firstUsedAt", u.last_at as at, u.operation, u.address, u.client,
      t.requests + m.refused + n.refused as requests, t.refused + m.refused + n.refused as refused, t.hourly,
      coalesce(u.last_at, k.created_at) < now() - interval '90 days' as unused
    from api_keys k
    left join key_uses u on u.company_id = k.company_id and u.key_id = k.id
    cross join lateral (
      select coalesce(sum(d.requests), 0)::int as requests, coalesce(sum(d.refused), 0)::int as refused,
        jsonb_agg(coalesce(d.requests, 0) order by h.at) as hourly
      from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), '1 hour') as h (at)
      left join key_traffic d on d.company_id = k.company_id and d.key_id = k.id and d.hour = h.at
    ) t
    cross join lateral (
      select coalesce(sum(1 + more), 0)::int as refused from (
        select at, code, more from refusals where company_id = k.company_id and key_id = k.id
        order by id desc limit ${maxRejectedRead}
      ) r where r.at > now() - interval '24 hours' and r.code like 'key\\_%'
    ) m
    cross join lateral (
      select coalesce(sum(not_kept), 0)::int as refused from refusal_counts
      where company_id = k.company_id and key_id = k.id and hour > now() - interval '24 hours' and code like 'key\\_%'
    ) n
    where k.company_id = ${companyId} and ${condition} order by k.id desc`);
  return rows.map(({ at, operation, address, client, expiresOn, expiresAt, expiryState, fingerprint, ...key }) => ({
    ...key,
    fingerprintStart: fingerprintStartOf(fingerprint),
    expiry: expiresOn && expiresAt ? { on: expiresOn, endsAt: expiresAt, state: expiryState } : null,
    lastUse: asCall({ at, operation, address, client }),
  }));
}

type RevokedKeyFilter = { before?: number; limit: number; isCalled?: boolean };

async function readRevokedKeys({ companyId }: Owner, { before, limit, isCalled = false }: RevokedKeyFilter) {
  const { id, name, fingerprint, note, createdAt } = apiKeys;
  const { at, operation, address, client } = refusals;
  const last = db()
    .select({ at, operation, address, client })
    .from(refusals)
    .where(matches(refusals, { companyId: apiKeys.companyId, keyId: id }))
    .orderBy(desc(refusals.id))
    .limit(1)
    .as('last');
  const lastCall = { at: last.at, operation: last.operation, address: last.address, client: last.client };
  const isOlder = before === undefined ? undefined : lt(id, before);
  const isRecent = isCalled ? gt(last.at, sql`now() - interval '7 days'`) : undefined;
  const revokedAt = sql<Date>`${apiKeys.revokedAt}`;
  const rows = await db()
    .select({ id, name, fingerprint, note, createdAt, revokedAt, lastCall })
    .from(apiKeys)
    .leftJoinLateral(last, sql`${last.at} >= date_trunc('milliseconds', ${apiKeys.revokedAt})`)
    .where(and(eq(apiKeys.companyId, companyId), isNotNull(apiKeys.revokedAt), isOlder, isRecent))
    .orderBy(desc(isCalled ? last.at : id))
    .limit(limit);
  return rows.map(({ fingerprint, lastCall, ...key }) => {
    return { ...key, fingerprintStart: fingerprintStartOf(fingerprint), lastCall: lastCall && asCall(lastCall) };
  });
}

/** Revoked keys, newest first: at most `limit`, older than key `before`. */
export async function listRevokedKeys(owner: Owner, { before, limit = 50 }: { before?: number; limit?: number } = {}) {
  const keys = await readRevokedKeys(owner, { before, limit: limit + 1 });
  return { keys: keys.slice(0, limit), hasMore: keys.length > limit };
}

/** Lists up to 5 revoked keys that were called within the last 7 days, the last called first. */
export const listCallingRevokedKeys = (owner: Owner) => readRevokedKeys(owner, { limit: 5, isCalled: true });

type MoveState = 'waiting' | 'both' | 'elsewhere' | 'moved';

/** A key and its replacement, both active. */
export type KeyReplacement = ReturnType<typeof listReplacements>[number];

/**
 * The replacements among these keys. `waiting`: the new key was never used. `both`: the old one was used last, or
 * within an hour and after the first use of the new one. `elsewhere`: only the new one is used, from another address
 * and program. `moved`: only the new one is used.
 */
export function listReplacements(keys: KeyOverview[], now = new Date()) {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return keys.flatMap((to) => {
    const from = to.replacesId === null ? undefined : byId.get(to.replacesId);
    return from ? [{ from, to, state: stateOf(from.lastUse, to, now) }] : [];
  });
}

function stateOf(old: KeyCall | null, { firstUsedAt, lastUse }: KeyOverview, now: Date): MoveState {
  if (!firstUsedAt || !lastUse) return 'waiting';
  if (!old) return 'moved';
  const silent = old.at < firstUsedAt || now.getTime() - old.at.getTime() > 60 * 60 * 1000;
  if (old.at >= lastUse.at || !silent) return 'both';
  return old.address === lastUse.address || old.client === lastUse.client ? 'moved' : 'elsewhere';
}

/** The current activity of a key. `refusals`: the newest 3 of the last 15 minutes, also without a key. */
export type KeyWatch = NonNullable<Awaited<ReturnType<typeof watchKey>>>;

/** The activity of a key, about a second old, or null. Calls without a key belong to the only company. */
export async function watchKey(owner: Owner, id: number) {
  const { companyId } = owner;
  const { lastAt: at, operation, address, client } = keyUses;
  const requests = db()
    .select({ requests: sql`coalesce(sum(${keyTraffic.requests}), 0)::int` })
    .from(keyTraffic)
    .where(and(matches(keyTraffic, { companyId, keyId: id }), gt(keyTraffic.hour, sql`now() - interval '24 hours'`)));
  const lastUse = { at, operation, address, client };
  const now = sql<Date>`now()`;
  const [watch] = await db()
    .select({ now, revokedAt: apiKeys.revokedAt, lastUse, requests: sql<number>`${requests}` })
    .from(apiKeys)
    .leftJoin(keyUses, matches(keyUses, { companyId, keyId: id }))
    .where(byId(apiKeys, { companyId }, id));
  return watch ? { ...watch, refusals: await listWatchedRequests(owner, id) } : null;
}

function listWatchedRequests(owner: Owner, id: number) {
  const { companyId } = owner;
  const older = db()
    .select({ id: refusals.id })
    .from(refusals)
    .where(eq(refusals.companyId, companyId))
    .orderBy(desc(refusals.id))
    .offset(200)
    .limit(1);
  const isKey = byId(apiKeys, { companyId }, id);
  const createdAt = db().select({ createdAt: apiKeys.createdAt }).from(apiKeys).where(isKey);
  const condition = and(
    sql`${refusals.id} > coalesce(${older}, 0)`,
    or(eq(refusals.keyId, id), isNull(refusals.keyId)),
    gt(refusals.at, sql`now() - interval '15 minutes'`),
    gte(refusals.at, createdAt),
  );
  return readRejectedRequests(owner, condition, 3);
}
