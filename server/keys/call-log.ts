import { sql } from '#db/client.ts';
import { type Broadcaster, raiseRepeats } from '#server/keys/alarms.ts';
import { log } from '#server/log.ts';
import type { ApiKey } from '#server/principals.ts';
import { excerptOf } from '#server/redact.ts';

/** Why a call was refused: its stable code, the wrong field, and the values of its message. */
export type Refusal = { code: string; field?: string; figures?: Record<string, number | string | undefined> };

/**
 * An answered call of the public interface. `key` is null when the call was not authenticated.
 * `fingerprint` is then known only for a key that is revoked or came in a wrong place.
 */
export type Call = {
  at: Date;
  requestId: string;
  key: ApiKey | null;
  fingerprint: Buffer | null;
  refusal: Refusal | null;
  operation: string;
  /** Whether it sent a notification to everyone. */
  broadcast: boolean;
  address: string;
  client: string;
};

type Use = { companyId: number; keyId: number; firstAt: Date; lastAt: Date } & Origin;
type Origin = Pick<Call, 'operation' | 'address' | 'client'>;
type Hour = { companyId: number; keyId: number; hour: number; requests: number; refused: number };
type RefusalRow = Pick<Call, 'at' | 'requestId'> & Origin & Refusal & { fingerprint: string | null; more: number };
type Batch = { uses: Map<string, Use>; hours: Map<string, Hour>; refused: Map<string, RefusalRow[]>; rows: number } & {
  broadcasters: Map<string, Broadcaster>;
};

const flushIntervalMs = 1000;
const hourMs = 60 * 60 * 1000;
const maxAlike = 5;
const maxRefusals = 1000;
const maxTextLength = 200;

const shorten = (text: string) => excerptOf(text, maxTextLength);

const originOf = ({ operation, address, client }: Origin): Origin => ({
  operation,
  address: shorten(address),
  client: shorten(client),
});

const emptyBatch = (): Batch => ({
  uses: new Map(),
  hours: new Map(),
  refused: new Map(),
  rows: 0,
  broadcasters: new Map(),
});
// Module state: calls of this process that are not yet written.
let pending = emptyBatch();
let scheduled = false;

/**
 * Records a call for the owner's pages: the last use of a key, its traffic of this hour, and
 * refusals. It runs no query; one statement a second later writes all calls of that second. A crash
 * loses that second of the log, never a send.
 */
export function noteCall(call: Call): void {
  const { key, refusal } = call;
  if (key) addUse(pending, key, call);
  if (key && call.broadcast)
    pending.broadcasters.set(`${key.companyId}:${key.id}`, { companyId: key.companyId, keyId: key.id });
  if (refusal) addRefusal(pending, call, refusal);
  if (scheduled) return;
  scheduled = true;
  setTimeout(() => {
    scheduled = false;
    flushCallLog().catch((error: unknown) => log().warn({ err: error }, 'calls could not be written down'));
  }, flushIntervalMs).unref();
}

function addUse({ uses, hours }: Batch, { companyId, id: keyId }: ApiKey, call: Call): void {
  const { at: lastAt, refusal } = call;
  const name = `${companyId}:${keyId}`;
  const firstAt = uses.get(name)?.firstAt ?? lastAt;
  const { operation, address, client } = call;
  uses.set(name, { companyId, keyId, firstAt, lastAt, operation, address, client });
  const hour = Math.floor(lastAt.getTime() / hourMs) * hourMs;
  const counted = hours.get(`${name}:${hour}`) ?? { companyId, keyId, hour, requests: 0, refused: 0 };
  counted.requests += 1;
  if (refusal) counted.refused += 1;
  hours.set(`${name}:${hour}`, counted);
}

// In each second, a process writes at most 5 rows for one key or address and reason, and 1,000 in
// all; further calls are only counted.
function addRefusal(batch: Batch, call: Call, { code, field, figures }: Refusal): void {
  const { at, requestId } = call;
  const whose = call.fingerprint?.toString('hex') ?? null;
  const group = `${whose ?? call.address}:${code}`;
  const alike = batch.refused.get(group) ?? [];
  const last = alike.at(-1);
  if (last && (alike.length >= maxAlike || batch.rows >= maxRefusals)) last.more += 1;
  if (alike.length >= maxAlike || batch.rows >= maxRefusals) return;
  const why = { code, field: field && shorten(field), figures };
  alike.push({ at, requestId, ...originOf(call), ...why, fingerprint: whose, more: 0 });
  batch.refused.set(group, alike);
  batch.rows += 1;
}

/**
 * Writes the recorded calls to the database, in one statement. After a failure the calls stay
 * recorded for the next flush. Throws the error of the database.
 */
export async function flushCallLog(): Promise<void> {
  const batch = pending;
  if (batch.uses.size === 0 && batch.rows === 0) return;
  pending = emptyBatch();
  try {
    await write(batch);
  } catch (error) {
    restore(batch);
    throw error;
  }
  await raiseRepeats([...batch.broadcasters.values()]).catch((error: unknown) => {
    for (const [name, one] of batch.broadcasters) pending.broadcasters.set(name, one);
    throw error;
  });
}

function restore(batch: Batch): void {
  for (const [name, use] of batch.uses)
    pending.uses.set(name, { ...(pending.uses.get(name) ?? use), firstAt: use.firstAt });
  for (const [name, hour] of batch.hours) {
    const later = pending.hours.get(name);
    pending.hours.set(name, {
      ...hour,
      requests: hour.requests + (later?.requests ?? 0),
      refused: hour.refused + (later?.refused ?? 0),
    });
  }
  for (const [group, rows] of batch.refused) {
    const later = pending.refused.get(group) ?? [];
    if (later.length === 0 && pending.rows >= maxRefusals) continue;
    const all = [...rows, ...later];
    const [kept, rest] = [all.slice(0, maxAlike), all.slice(maxAlike)];
    const last = kept.at(-1);
    if (last) last.more += rest.reduce((sum, { more }) => sum + 1 + more, 0);
    pending.refused.set(group, kept);
    pending.rows += kept.length - later.length;
  }
  for (const [name, one] of batch.broadcasters) pending.broadcasters.set(name, one);
}

// As text: the driver would take an array for a PostgreSQL array.
const asJson = (rows: Iterable<object>) => JSON.stringify([...rows]);

/**
 * Writes a batch in one statement. Rows are ordered by their keys, so that two processes cannot
 * deadlock. The process that writes later may have the earlier call. A refused call belongs to the
 * company of its key; one without a key belongs to the only company, if there is only one.
 */
async function write({ uses, hours, refused }: Batch): Promise<void> {
  await sql()`
    with kept_uses as (
      insert into key_uses as old (company_id, key_id, first_at, last_at, operation, address, client)
      select "companyId", "keyId", "firstAt", "lastAt", operation, address, client
      from jsonb_to_recordset(${asJson([...uses.values()].map((use) => ({ ...use, ...originOf(use) })))}::text::jsonb)
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
    )
    insert into refusals (company_id, at, request_id, key_id, code, field, figures, operation, address, client, more)
    select coalesce(k.company_id, only_company.id), r.at, r."requestId", k.id, r.code, r.field, r.figures, r.operation,
      r.address, r.client, r.more
    from jsonb_to_recordset(${asJson([...refused.values()].flat())}::text::jsonb)
      as r (at timestamptz, "requestId" uuid, fingerprint text, code text, field text, figures jsonb, operation text,
        address text, client text, more int)
    left join api_keys k on k.fingerprint = decode(r.fingerprint, 'hex')
    left join only_company on r.fingerprint is null
    where coalesce(k.company_id, only_company.id) is not null
    order by r.at`;
}
