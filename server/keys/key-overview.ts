import { type Fragment, findRow, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { describeBrowser } from '#server/accounts/sessions/browser-name.ts';
import { fingerprintStart } from '#server/keys/keys.ts';
import { type RejectedRequest, rejectedRequestColumns } from '#server/keys/rejected-requests.ts';
import { expiryState, lastValidDay } from '#server/keys/validity.ts';
import type { Owner } from '#server/principals.ts';

/** The last call of a key: time, operation, address and client program. */
export type KeyCall = { at: Date; operation: string | null; address: string; client: string };

/** The end of a key: its last valid day (YYYY-MM-DD) and whether it is near or over. */
type KeyExpiry = { on: string; state: 'later' | 'soon' | 'expired'; endsAt: Date };

/**
 * A key with its use. `requests` and `refused` count the last 24 hours, by whole hours, and
 * `hourly` has the requests of each of them. `expiry` is null for a key that never expires.
 */
export type KeyOverview = Pick<
  Rows['apiKeys'],
  'id' | 'name' | 'note' | 'createdAt' | 'revokedAt' | 'mustConfirm' | 'expectedEveryMinutes' | 'replacesId'
> & {
  fingerprintStart: string;
  expiry: KeyExpiry | null;
  firstUsedAt: Date | null;
  lastUse: KeyCall | null;
  requests: number;
  refused: number;
  hourly: number[];
  /** Whether the key was created, or last used, over 90 days ago. */
  unused: boolean;
};

/** A revoked key. `lastCall` is the newest call after it was revoked. */
export type RevokedKey = Pick<Rows['apiKeys'], 'id' | 'name' | 'note' | 'createdAt'> & {
  fingerprintStart: string;
  revokedAt: Date;
  lastCall: KeyCall | null;
};

type Flat<Key> = Key & { at: Date | null; operation: string | null; address: string | null; client: string | null };

// A browser's User-Agent is too long for a phone.
const shortClient = (client: string) => (client.startsWith('Mozilla/') && describeBrowser(client, ' · ')) || client;

function asCall({ at, operation, address, client }: Flat<object>): KeyCall | null {
  return at && { at, operation, address: address ?? '', client: shortClient(client ?? '') };
}

// A misplaced key is rejected before it is counted, so these requests are added from `refusals`.
const maxRejectedRead = 500;

type OverviewRow = Flat<Omit<KeyOverview, 'lastUse' | 'expiry'>> & {
  expiresOn: string | null;
  expiresAt: Rows['apiKeys']['expiresAt'];
  expiryState: KeyExpiry['state'];
};

/** Lists the keys of the owner's company that are not revoked, expired ones too, newest first. */
export const listActiveKeys = (owner: Owner): Promise<KeyOverview[]> => readKeys(owner, sql()`k.revoked_at is null`);

/** Finds a key of the owner's company, also a revoked one; null when there is none. */
export async function findKeyOverview(owner: Owner, id: number): Promise<KeyOverview | null> {
  return findRow(readKeys(owner, sql()`k.id = ${id}`));
}

async function readKeys({ companyId, timeZone }: Owner, condition: Fragment): Promise<KeyOverview[]> {
  const rows = await sql()<OverviewRow[]>`
    select k.id, k.name, ${fingerprintStart()} as "fingerprintStart", k.note, k.created_at as "createdAt",
      k.revoked_at as "revokedAt", k.must_confirm as "mustConfirm", k.expected_every_minutes as "expectedEveryMinutes",
      ${lastValidDay(timeZone)} as "expiresOn", k.expires_at as "expiresAt", ${expiryState()} as "expiryState",
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
    where k.company_id = ${companyId} and ${condition} order by k.id desc`;
  return rows.map(({ at, operation, address, client, expiresOn, expiresAt, expiryState, ...key }) => ({
    ...key,
    expiry: expiresOn && expiresAt ? { on: expiresOn, endsAt: expiresAt, state: expiryState } : null,
    lastUse: asCall({ at, operation, address, client }),
  }));
}

// `end` is the end of the statement, over the keys `k` and their last calls `r`.
async function readRevokedKeys({ companyId }: Owner, end: Fragment): Promise<RevokedKey[]> {
  const rows = await sql()<Flat<Omit<RevokedKey, 'lastCall'>>[]>`
    select k.id, k.name, ${fingerprintStart()} as "fingerprintStart", k.note, k.created_at as "createdAt",
      k.revoked_at as "revokedAt", r.at, r.operation, r.address, r.client
    from api_keys k left join lateral (
      select at, operation, address, client from refusals
      where company_id = k.company_id and key_id = k.id order by id desc limit 1
    ) r on r.at >= date_trunc('milliseconds', k.revoked_at)
    where k.company_id = ${companyId} and k.revoked_at is not null ${end}`;
  return rows.map(({ at, operation, address, client, ...key }) => {
    return { ...key, lastCall: asCall({ at, operation, address, client }) };
  });
}

/**
 * Lists revoked keys of the owner's company, newest first: at most `limit`, older than key
 * `before`. `hasMore` says whether older keys exist.
 */
export async function listRevokedKeys(
  owner: Owner,
  { before, limit = 50 }: { before?: number; limit?: number } = {},
): Promise<{ keys: RevokedKey[]; hasMore: boolean }> {
  const end = sql()`and k.id < ${before ?? null}::int is not false order by k.id desc limit ${limit + 1}`;
  const keys = await readRevokedKeys(owner, end);
  return { keys: keys.slice(0, limit), hasMore: keys.length > limit };
}

const maxCallingKeys = 5;

/** Lists up to 5 revoked keys that were called within the last 7 days, the last called first. */
export const listCallingRevokedKeys = (owner: Owner): Promise<RevokedKey[]> =>
  readRevokedKeys(owner, sql()`and r.at > now() - interval '7 days' order by r.at desc limit ${maxCallingKeys}`);

type MoveState = 'waiting' | 'both' | 'elsewhere' | 'moved';

/** A key and its replacement, both active. */
export type KeyReplacement = { from: KeyOverview; to: KeyOverview; state: MoveState };

const silenceMs = 60 * 60 * 1000;

/**
 * Lists the replacements among these keys, with their state. `waiting`: the new key was never used.
 * `both`: the old key was used last, or less than an hour ago and after the first use of the new
 * one. `elsewhere`: only the new key is used, but from another address and by another program than
 * the old one. `moved`: only the new key is used.
 */
export function listReplacements(keys: KeyOverview[], now = new Date()): KeyReplacement[] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return keys.flatMap((to) => {
    const from = to.replacesId === null ? undefined : byId.get(to.replacesId);
    return from ? [{ from, to, state: stateOf(from.lastUse, to, now) }] : [];
  });
}

function stateOf(old: KeyCall | null, { firstUsedAt, lastUse }: KeyOverview, now: Date): MoveState {
  if (!firstUsedAt || !lastUse) return 'waiting';
  if (!old) return 'moved';
  const silent = old.at < firstUsedAt || now.getTime() - old.at.getTime() > silenceMs;
  if (old.at >= lastUse.at || !silent) return 'both';
  return old.address === lastUse.address || old.client === lastUse.client ? 'moved' : 'elsewhere';
}

/** The current activity of a key. `refusals`: the newest 3 of the last 15 minutes, also without a key. */
export type KeyWatch = {
  now: Date;
  revokedAt: Date | null;
  lastUse: KeyCall | null;
  requests: number;
  refusals: RejectedRequest[];
};

const maxWatched = 200;

/**
 * Finds the activity of a key, about a second old; null when the company has no such key. Calls
 * without a key are included when the service has only one company, to which they then belong.
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
  const refusals = await sql()<RejectedRequest[]>`
    select ${rejectedRequestColumns()}
    from (select * from refusals where company_id = ${owner.companyId} order by id desc limit ${maxWatched}) r
    left join api_keys k on k.company_id = r.company_id and k.id = r.key_id
    where (r.key_id = ${id} or r.key_id is null) and r.at > now() - interval '15 minutes'
      and r.at >= (select created_at from api_keys where company_id = ${owner.companyId} and id = ${id})
    order by r.id desc limit 3`;
  return { now, revokedAt, requests, lastUse: call.at && call, refusals };
}

type Traffic = { requests: number; refused: number };

/**
 * The requests of a key, and how many of them were rejected: in the last 24 hours, by whole hours
 * from `hour` on, and on the last 30 days (YYYY-MM-DD) in the company's time zone, the oldest first.
 */
type KeyTraffic = { hours: (Traffic & { hour: Date })[]; days: (Traffic & { day: string })[] };

/** Reads the traffic of a key. All counts are 0 for a key of another company. */
export async function readTraffic({ companyId, timeZone }: Owner, keyId: number): Promise<KeyTraffic> {
  const [hours, days] = await Promise.all([
    sql()<KeyTraffic['hours']>`
      select h.hour, coalesce(t.requests, 0) as requests, coalesce(t.refused, 0) as refused
      from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), '1 hour') as h (hour)
      left join key_traffic t on t.company_id = ${companyId} and t.key_id = ${keyId} and t.hour = h.hour
      order by h.hour`,
    sql()<KeyTraffic['days']>`
      with today as (
        select (now() at time zone ${timeZone}::text)::date as day
      ), counted as (
        select (hour at time zone ${timeZone}::text)::date as day, sum(requests)::int as requests, sum(refused)::int as refused
        from key_traffic
        where company_id = ${companyId} and key_id = ${keyId} and hour > now() - interval '31 days' group by 1
      )
      select (today.day - ago)::text as day, coalesce(c.requests, 0) as requests, coalesce(c.refused, 0) as refused
      from today cross join generate_series(29, 0, -1) as ago left join counted c on c.day = today.day - ago
      order by 1`,
  ]);
  return { hours, days };
}
