import { db } from '#db/client.ts';
import { sql } from '#db/drizzle.cjs';
import { addressGroup } from '#platform/config/ip-address.ts';
import { excerptOf, warnOf } from '#platform/log/log.ts';
import { type Broadcaster, raiseRepeats } from '#server/keys/alarms.ts';
import { isValidKey, k } from '#server/keys/keys.ts';
import type { ApiKey } from '#server/principals.ts';

// Why a request was rejected: its stable code, the wrong field, and the values of its message.
type Rejection = { code: string; field?: string; parameters?: Record<string, number | string | undefined> };

type Origin = { operation: string; address: string; client: string };

/** An answered call of the public interface. Without a `key`, `fingerprint` is set for a rejected or misplaced one. */
export type Call = {
  at: Date;
  requestId: string;
  key: ApiKey | null;
  fingerprint: Buffer | null;
  rejection: Rejection | null;
  /** Whether it sent a notification to everyone. */
  broadcast: boolean;
} & Origin;

type Use = { companyId: number; keyId: number; firstAt: Date; lastAt: Date } & Origin;
type Hour = { companyId: number; keyId: number; hour: number; requests: number; refused: number };

// `more` are similar calls of the same second, and all calls where they are only counted (`requestId` null).
type RejectedRequestRow = { at: Date; fingerprint: string | null; code: string; more: number } & (
  | ({ requestId: string } & Rejection & Origin)
  | { requestId: null }
);

type Source = 'key' | 'rejected' | 'none';

const hourMs = 60 * 60 * 1000;

// Each source has its own share, so that strangers cannot displace the rejected requests of keys.
const maxAlike = 5;
const maxRows: Record<Source, number> = { key: 500, rejected: 300, none: 200 };
// The number of unknown keys is unbounded.
const maxCountedKeys = 1000;

/**
 * How many rejected requests of a company are stored in an hour for each code, before they are only
 * counted: `ofKey` for each valid key, `ofOthers` for each other key and for requests without a key.
 */
export const rejectedPerHour = { ofKey: 500, ofOthers: 60 };

const shorten = (text: string): string => excerptOf(text, 200);

const originOf = ({ operation, address, client }: Origin): Origin => ({
  operation: shorten(operation),
  address: shorten(address),
  client: shorten(client),
});

// What a process has not written yet. `rejected` has rows by key or address and reason, `sizes` their number by source.
const emptyBatch = () => ({
  uses: new Map<string, Use>(),
  hours: new Map<string, Hour>(),
  rejected: new Map<string, RejectedRequestRow[]>(),
  sizes: { key: 0, rejected: 0, none: 0 },
  counted: new Map<string, RejectedRequestRow>(),
  broadcasters: new Map<string, Broadcaster>(),
});
type Batch = ReturnType<typeof emptyBatch>;

// Module state: calls that are not yet written. `unwritten` is being written, or failed, and comes before `pending`.
let pending = emptyBatch();
let unwritten: Batch | null = null;
let flushing: Promise<void> | undefined;
let scheduled = false;

/** Records a call for the owner's pages. One statement writes those of a second; a crash loses them, never a send. */
export function noteCall(call: Call): void {
  const { key, rejection } = call;
  if (key) addUse(pending, key, call);
  if (key && call.broadcast)
    pending.broadcasters.set(`${key.companyId}:${key.id}`, { companyId: key.companyId, keyId: key.id });
  if (rejection) addRejected(pending, call, rejection);
  if (scheduled) return;
  scheduled = true;
  setTimeout(() => {
    scheduled = false;
    flushCallLog().catch(warnOf('calls could not be written down'));
  }, 1000).unref();
}

function addUse({ uses, hours }: Batch, { companyId, id: keyId }: ApiKey, call: Call): void {
  const { at: lastAt, rejection, operation, address, client } = call;
  const name = `${companyId}:${keyId}`;
  const firstAt = uses.get(name)?.firstAt ?? lastAt;
  uses.set(name, { companyId, keyId, firstAt, lastAt, operation, address, client });
  const hour = hourOf(lastAt) * hourMs;
  const counted = hours.get(`${name}:${hour}`) ?? { companyId, keyId, hour, requests: 0, refused: 0 };
  counted.requests += 1;
  if (rejection) counted.refused += 1;
  hours.set(`${name}:${hour}`, counted);
}

// At most 5 calls of a key or address with the same reason become rows, and 1,000 in all. Without a
// valid key, an address (IPv6: its /64) has 20 rows an hour for each reason. Others are only counted.
function addRejected(batch: Batch, call: Call, { code, field, parameters }: Rejection): void {
  const { at, requestId } = call;
  const fingerprint = call.fingerprint?.toString('hex') ?? null;
  const source: Source = call.key ? 'key' : fingerprint === null ? 'none' : 'rejected';
  const network = addressGroup(call.address);
  const group = `${source}:${fingerprint ?? network}:${code}`;
  const alike = batch.rejected.get(group) ?? [];
  const last = alike.at(-1);
  if (last && alike.length >= maxAlike) last.more += 1;
  else if (batch.sizes[source] >= maxRows[source] || (source !== 'key' && !takeShare(`${network}:${code}`, at))) {
    if (last) last.more += 1;
    else countRejected(batch, { at, fingerprint, code, more: 1, requestId: null });
  } else {
    const reason = { code, field: field && shorten(field), parameters };
    alike.push({ at, requestId, ...originOf(call), ...reason, fingerprint, more: 0 });
    batch.rejected.set(group, alike);
    batch.sizes[source] += 1;
  }
}

function countRejected({ counted }: Batch, row: RejectedRequestRow): void {
  const group = `${row.fingerprint}:${row.code}:${hourOf(row.at)}`;
  const earlier = counted.get(group);
  if (earlier) earlier.more += row.more;
  else if (row.fingerprint === null || counted.size < maxCountedKeys) counted.set(group, row);
}

const hourOf = (time: Date) => Math.floor(time.getTime() / hourMs);

const rowsPerShare = 20;
// Module state: the rows that addresses without a valid key have had in this hour, in this process.
const shares = { hour: 0, rowCounts: new Map<string, number>() };

function takeShare(name: string, time: Date): boolean {
  if (shares.hour !== hourOf(time) || shares.rowCounts.size >= 10_000) {
    shares.hour = hourOf(time);
    shares.rowCounts.clear();
  }
  const count = shares.rowCounts.get(name) ?? 0;
  if (count < rowsPerShare) shares.rowCounts.set(name, count + 1);
  return count < rowsPerShare;
}

/** Writes the recorded calls in one statement. After a failure, which it throws, they stay for the next flush. */
export function flushCallLog(): Promise<void> {
  flushing ??= writeAll().finally(() => {
    flushing = undefined;
  });
  return flushing;
}

async function writeAll(): Promise<void> {
  for (;;) {
    const batch = unwritten ?? pending;
    if (batch.uses.size + batch.rejected.size + batch.counted.size === 0) return;
    if (batch === pending) pending = emptyBatch();
    unwritten = batch;
    await write(batch);
    unwritten = null;
    await raiseRepeats([...batch.broadcasters.values()]).catch((error: unknown) => {
      for (const [name, broadcaster] of batch.broadcasters) pending.broadcasters.set(name, broadcaster);
      throw error;
    });
  }
}

// As text: the driver would take an array for a PostgreSQL array.
const asJson = (rows: Iterable<object>) => JSON.stringify([...rows]);

/**
 * Writes a batch in one statement, in the order of its keys, so that two processes cannot deadlock. A rejected request
 * without a key belongs to the only company. The update of `refusal_counts` sees the numbers of other processes.
 */
async function write({ uses, hours, rejected, counted }: Batch): Promise<void> {
  const rows = [...[...rejected.values()].flat(), ...counted.values()];
  const keyUses = [...uses.values()].map((use) => ({ ...use, ...originOf(use) }));
  // As text: one statement for five tables, with the rows as JSON, so that its text does not grow with them.
  await db().execute(sql`
    with kept_uses as (
      insert into key_uses as old (company_id, key_id, first_at, last_at, operation, address, client)
      select "companyId", "keyId", "firstAt", "lastAt", operation, address, client
      from jsonb_to_recordset(${asJson(keyUses)}::text::jsonb)
        as u ("companyId" int, "keyId" int, "firstAt" timestamptz, "lastAt" timestamptz, operation text,
          address text, client text)
      order by 1, 2
      on conflict (company_id, key_id) do update set
        first_at = least(old.first_at, excluded.first_at), last_at = greatest(old.last_at, excluded.last_at),
        operation = case when excluded.last_at >= old.last_at then excluded.operation else old.operation end,
        address = case when excluded.last_at >= old.last_at then excluded.address else old.address end,
        client = case when excluded.last_at >= old.last_at then excluded.client else old.client end
    ), kept_hours as (
      insert into key_traffic as old (company_id, key_id, hour, requests, refused)
      select "companyId", "keyId", to_timestamp(hour / 1000), requests, refused
      from jsonb_to_recordset(${asJson(hours.values())}::text::jsonb)
        as h ("companyId" int, "keyId" int, hour bigint, requests int, refused int)
      order by 1, 2, 3
      on conflict (company_id, key_id, hour) do update set
        requests = old.requests + excluded.requests, refused = old.refused + excluded.refused
    ), only_company as (
      select min(id) as id from (select id from companies limit 2) c having count(*) = 1
    ), calls as (
      select r.*, coalesce(k.company_id, only_company.id) as company_id, k.id as key_id,
        date_trunc('hour', r.at, 'UTC') as hour, r.more + ("requestId" is not null)::int as calls,
        case when k.id is not null and ${isValidKey(k)} then ${rejectedPerHour.ofKey}::int
          else ${rejectedPerHour.ofOthers}::int end as budget
      from jsonb_to_recordset(${asJson(rows)}::text::jsonb)
        as r (at timestamptz, "requestId" uuid, fingerprint text, code text, field text, parameters jsonb, operation text,
          address text, client text, more int)
      left join api_keys k on k.fingerprint = decode(r.fingerprint, 'hex')
      left join only_company on r.fingerprint is null
      where coalesce(k.company_id, only_company.id) is not null
    ), placed as (
      select *, (count("requestId") over (partition by company_id, hour, key_id, code order by at, "requestId"
        rows unbounded preceding))::int as place from calls
    ), groups as (
      select company_id, hour, key_id, code, count("requestId")::int as wanted,
        coalesce(sum(calls) filter (where "requestId" is null or place > budget), 0) as not_kept
      from placed group by 1, 2, 3, 4
    ), counts as (
      insert into refusal_counts as old (company_id, hour, key_id, code, wanted, not_kept)
      select company_id, hour, key_id, code, wanted, not_kept from groups order by 1, 2, 3, 4
      on conflict (company_id, hour, key_id, code) do update set
        wanted = old.wanted + excluded.wanted,
        not_kept = old.not_kept + (
          select coalesce(sum(calls) filter (where "requestId" is null or old.wanted + place > budget), 0) from placed p
          where p.company_id = old.company_id and p.hour = old.hour and p.key_id is not distinct from old.key_id
            and p.code = old.code)
      returning company_id, hour, key_id, code, wanted
    )
    insert into refusals (company_id, at, request_id, key_id, code, field, figures, operation, address, client, more)
    select p.company_id, p.at, p."requestId", p.key_id, p.code, p.field, p.parameters, p.operation, p.address, p.client, p.more
    from placed p
    join groups g on g.company_id = p.company_id and g.hour = p.hour and g.key_id is not distinct from p.key_id
      and g.code = p.code
    join counts c on c.company_id = p.company_id and c.hour = p.hour and c.key_id is not distinct from p.key_id
      and c.code = p.code
    where p."requestId" is not null and c.wanted - g.wanted + p.place <= p.budget
    order by p.at`);
}
