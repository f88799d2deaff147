import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { and, count, eq, sql as expression, isNull } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { isDuplicate } from '#db/driver/errors.ts';
import { apiKeys } from '#db/schema.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { ApiKey, Owner } from '#server/principals.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^jss_([0-9A-Za-z]{58})([0-9A-Za-z]{6})$/;

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new key: `jss_`, 58 characters from a cryptographic source, 6 of Base62 CRC32 over them (contract §3). */
export function generateKey(): string {
  const secret = Array.from({ length: 58 }, () => alphabet[randomInt(62)]).join('');
  return `jss_${secret}${checksum(secret)}`;
}

/** Whether a text has the form of a key and its checksum is right; costs no query. */
export function isKey(text: string): boolean {
  const [, secret, check] = keyPattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === check;
}

/** SHA-256 of the whole key: all that is ever stored of it. */
export function fingerprintOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** An API key as the owner sees it; `fingerprintStart` is the first 8 hex digits of its fingerprint. */
export type KeySummary = {
  id: number;
  name: string;
  fingerprintStart: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** All keys of the owner's company, revoked ones included, newest first. */
export async function listKeys(owner: Owner): Promise<KeySummary[]> {
  return sql()<KeySummary[]>`
    select k.id, k.name, substr(encode(k.fingerprint, 'hex'), 1, 8) as "fingerprintStart", k.created_at as "createdAt",
      u.last_at as "lastUsedAt", k.revoked_at as "revokedAt"
    from api_keys k left join key_uses u on u.company_id = k.company_id and u.key_id = k.id
    where k.company_id = ${owner.companyId} order by k.id desc`;
}

/** Active keys that a company may have at once. */
export const mostActiveKeys = 50;

/** What an owner says of a new key: a name of 1–60 characters, trimmed, and a note of up to 500 or none. */
export type NewKey = { name: string; note?: string | null };

/** A key that was just made. `key` exists nowhere else: show it once and forget it. */
export type MadeKey = { id: number; key: string };

type Refused = 'duplicate-name' | 'too-many-keys';

/** Makes a key. Its name is unique among the company's active keys (contract §3), of which there are 50 at most. */
export async function createKey(owner: Owner, wanted: string | NewKey): Promise<MadeKey | Refused> {
  return refusingDuplicates(() =>
    db().transaction(async (transaction) => {
      if ((await lockKeys(transaction, owner)) >= mostActiveKeys) return 'too-many-keys';
      const { made, details } = await insertKey(
        transaction,
        owner,
        typeof wanted === 'string' ? { name: wanted } : wanted,
      );
      await recordAudit(transaction, owner, 'key.create', details);
      return made;
    }),
  );
}

/**
 * Makes a key that is to take the place of key `replacedId`; both work until the old one is revoked. What the owner set for the
 * old one holds for the new one too. `'no-such-key'` when the old one is not active, `'already-replaced'` when it has an active
 * replacement.
 */
export async function replaceKey(
  owner: Owner,
  replacedId: number,
  wanted: NewKey,
): Promise<MadeKey | Refused | 'no-such-key' | 'already-replaced'> {
  return refusingDuplicates(() =>
    db().transaction(async (transaction) => {
      const active = await lockKeys(transaction, owner);
      const mine = and(eq(apiKeys.companyId, owner.companyId), isNull(apiKeys.revokedAt));
      const [replaced] = await transaction
        .select()
        .from(apiKeys)
        .where(and(mine, eq(apiKeys.id, replacedId)));
      if (!replaced) return 'no-such-key';
      const others = await transaction
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(and(mine, eq(apiKeys.replacesId, replacedId)));
      if (others.length > 0) return 'already-replaced';
      if (active >= mostActiveKeys) return 'too-many-keys';
      const { made, details } = await insertKey(transaction, owner, wanted, replaced);
      await recordAudit(transaction, owner, 'key.replace', { ...details, replacedId, replaced: replaced.name });
      return made;
    }),
  );
}

// Whoever makes a key holds the company's row, so that two at once cannot both be the fiftieth.
async function lockKeys(database: Database, { companyId }: Owner): Promise<number> {
  await lockCompanyRow(database, { companyId });
  const [active] = await database
    .select({ count: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.companyId, companyId), isNull(apiKeys.revokedAt)));
  return active?.count ?? 0;
}

type Replaced = { id: number; mustConfirm: boolean; expectedEveryMinutes: number | null };

async function insertKey(database: Database, owner: Owner, { name, note = null }: NewKey, replaced?: Replaced) {
  const key = generateKey();
  const fingerprint = fingerprintOf(key);
  const { mustConfirm = false, expectedEveryMinutes = null } = replaced ?? {};
  const [made] = await database
    .insert(apiKeys)
    .values({
      ...{ companyId: owner.companyId, name, note, fingerprint, createdBy: owner.accountId },
      ...{ replacesId: replaced?.id, mustConfirm, expectedEveryMinutes },
      expectedSince: expectedEveryMinutes === null ? null : expression`now()`,
    })
    .returning({ id: apiKeys.id });
  if (!made) throw new Error('the key was not inserted');
  const details = { keyId: made.id, name, fingerprint: fingerprint.toString('hex').slice(0, 8) };
  return { made: { id: made.id, key }, details };
}

async function refusingDuplicates<Made>(make: () => Promise<Made>): Promise<Made | 'duplicate-name'> {
  try {
    return await make();
  } catch (error) {
    if (isDuplicate(error, 'api_keys_active_name')) return 'duplicate-name';
    throw error;
  }
}

/**
 * Revokes a key: the next request with it is 401 on every process, and a send that is in flight is either
 * committed before this returns or not at all. Revoking twice, or a key of another company, is `'no-such-key'`.
 */
export async function revokeKey(owner: Owner, id: number): Promise<'revoked' | 'no-such-key'> {
  return db().transaction(async (transaction) => {
    const [revoked] = await transaction
      .update(apiKeys)
      .set({ revokedAt: expression`now()` })
      .where(and(eq(apiKeys.companyId, owner.companyId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
      .returning({ name: apiKeys.name, fingerprint: apiKeys.fingerprint });
    if (!revoked) return 'no-such-key';
    const details = { keyId: id, name: revoked.name, fingerprint: revoked.fingerprint.toString('hex').slice(0, 8) };
    await recordAudit(transaction, owner, 'key.revoke', details);
    return 'revoked';
  });
}

type KeyRow = { companyId: number; companyName: string; id: number; name: string };

const asApiKey = ({ companyId, companyName, id, name }: KeyRow): ApiKey => ({
  kind: 'key',
  companyId,
  companyName,
  id,
  name,
});

/**
 * The active key with this fingerprint, or null. For the limiter that counts elsewhere; `authenticateAndCountKey` does both
 * in one statement.
 */
export async function authenticateKey(fingerprint: Buffer): Promise<ApiKey | null> {
  const [row] = await sql()<KeyRow[]>`
    select k.company_id as "companyId", c.name as "companyName", k.id, k.name
    from api_keys k join companies c on c.id = k.company_id
    where k.fingerprint = ${fingerprint} and k.revoked_at is null`;
  return row ? asApiKey(row) : null;
}

/**
 * The active key with this fingerprint, how many requests it has made in its running minute, this one included (61 means: over
 * the limit), and in how many seconds that minute ends (1…60), or null. One statement, exact over all processes on one database. A
 * window starts at a key's first request and lasts 60 s, so waiting 60 s always helps (contract §4).
 */
export async function authenticateAndCountKey(
  fingerprint: Buffer,
): Promise<{ key: ApiKey; used: number; endsIn: number } | null> {
  const [row] = await sql()<(KeyRow & { used: number; endsIn: number })[]>`
    with key as (
      select k.company_id as "companyId", c.name as "companyName", k.id, k.name
      from api_keys k join companies c on c.id = k.company_id
      where k.fingerprint = ${fingerprint} and k.revoked_at is null
    ), counted as (
      insert into key_usage as usage (company_id, key_id, window_started_at, used)
      select "companyId", id, now(), 1 from key
      on conflict (company_id, key_id) do update set
        used = case
          when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
          then least(usage.used, 60) + 1 else 1 end,
        window_started_at = case
          when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
          then usage.window_started_at else now() end
      returning used, ceil(extract(epoch from window_started_at - now()) + 60)::int as "endsIn"
    )
    select key.*, counted.used, counted."endsIn" from key, counted`;
  return row ? { key: asApiKey(row), used: row.used, endsIn: Math.min(60, row.endsIn) } : null;
}
