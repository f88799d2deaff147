import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { byId, countRows, db, findRow, hasRows, matches, type Rows, requireRow } from '#db/client.ts';
import { type PersonTransaction, withOwner } from '#db/company-row.ts';
import { unlessDuplicate } from '#db/driver/errors.ts';
import { type AnyPgColumn, alias, and, count, desc, eq, type SQL, sql } from '#db/drizzle.cjs';
import { apiKeys, companies } from '#db/schema/tables.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import { maxActiveKeys } from '#server/keys/key-limits.ts';
import type { ApiKey, Manager, Owner } from '#server/principals.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^jss_([0-9A-Za-z]{58})([0-9A-Za-z]{6})$/;

// CRC32 in six digits of Base62.
function checksum(secret: string): string {
  const sum = crc32(secret);
  return [5, 4, 3, 2, 1, 0].map((place) => alphabet[Math.floor(sum / 62 ** place) % 62]).join('');
}

/** A new key (contract §3): `jss_`, 58 characters of a secure random source, their CRC32 in Base62. */
export function generateKey(): string {
  const secret = Array.from({ length: 58 }, () => alphabet[randomInt(62)]).join('');
  return `jss_${secret}${checksum(secret)}`;
}

/** Whether a text has the form of a key and its checksum is right. Asks no database. */
export function isKey(text: string): boolean {
  const [, secret, check] = keyPattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === check;
}

/** SHA-256 of the whole key. Only this fingerprint is stored, never the key (contract §3). */
export const fingerprintOf = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The first 8 hex digits of a fingerprint, which identify a key for people. */
export const fingerprintStartOf = (fingerprint: Buffer): string => fingerprint.toString('hex').slice(0, 8);

/** The keys under the name that statements in text give them. */
export const k = alias(apiKeys, 'k');

type KeyColumns = { revokedAt: AnyPgColumn; expiresAt: AnyPgColumn };

/** Whether a key is neither revoked nor expired now, by the clock of the database. The rule is in db/migrations/0003. */
export const isValidKey = (key: KeyColumns = apiKeys): SQL<boolean> =>
  sql`is_valid_key_1(${key.revokedAt}, ${key.expiresAt})`;

/** The last day on which a key is valid, as YYYY-MM-DD; null when it never expires. */
export const lastValidDay = (timeZone: string, key: KeyColumns = apiKeys): SQL<string | null> =>
  sql`((${key.expiresAt} at time zone ${timeZone}::text) - interval '1 microsecond')::date::text`;

export const warnDaysBefore = 7;

/** Whether a key with an expiry date is expired, expires `soon` (within `warnDaysBefore`) or `later`. */
export const expiryState = (key: KeyColumns = apiKeys): SQL<'expired' | 'soon' | 'later'> => sql`case
  when ${key.expiresAt} <= now() then 'expired'
  when ${key.expiresAt} <= now() + ${warnDaysBefore} * interval '1 day' then 'soon' else 'later' end`;

/** All keys of the company, newest first, revoked ones included. */
export async function listKeys({ companyId }: Manager) {
  return db()
    .select({ id: apiKeys.id, name: apiKeys.name, revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(desc(apiKeys.id));
}

export const hasKeys = async ({ companyId }: Owner): Promise<boolean> =>
  hasRows(db().select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.companyId, companyId)).limit(1));

/**
 * What an owner enters for a new key: a trimmed name of 1–60 characters, a note of at most 500, and
 * its last valid day, as YYYY-MM-DD in the company's time zone (null: it never expires).
 */
type NewKey = { name: string; note?: string | null; expiresOn?: string | null };

/**
 * Creates a key whose name differs from the other active ones (contract §3), at most `maxActiveKeys`. With `replacedId`
 * it replaces an active key, with its settings but its own last day: both work until the old one is revoked. One that
 * has an active replacement is `'already-replaced'`. `key` is stored nowhere: show it once.
 */
export async function createKey(owner: Owner, { name, note = null, expiresOn = null }: NewKey, replacedId?: number) {
  const { companyId, timeZone } = owner;
  const make = withOwner(owner, async (tx) => {
    const replaced = replacedId === undefined ? null : await findReplaced(tx, owner, replacedId);
    if (typeof replaced === 'string') return replaced;
    // The company's row is locked: two transactions cannot both create the fiftieth key.
    const limits = await requireRow(
      db(tx)
        .select({
          active: count(),
          isPast: sql<boolean>`coalesce(${expiresOn}::date < (now() at time zone ${timeZone}::text)::date, false)`,
        })
        .from(apiKeys)
        .where(matches(apiKeys, { companyId, revokedAt: null })),
    );
    if (limits.active >= maxActiveKeys) return 'too-many-keys';
    if (limits.isPast) return 'day-is-past';
    const key = generateKey();
    const fingerprint = fingerprintOf(key);
    const { mustConfirm = false, expectedEveryMinutes = null } = replaced ?? {};
    const origin = { companyId, name, note, fingerprint, createdBy: owner.accountId, replacesId: replaced?.id };
    const expectedSince = expectedEveryMinutes === null ? null : sql`now()`;
    const expiresAt = endOf(expiresOn, timeZone);
    const values = { ...origin, mustConfirm, expectedEveryMinutes, expectedSince, expiresAt };
    const { id } = await requireRow(db(tx).insert(apiKeys).values(values).returning({ id: apiKeys.id }));
    const start = fingerprintStartOf(fingerprint);
    const details = { keyId: id, name, fingerprint: start, ...(expiresOn && { expiresOn }) };
    if (!replaced) await recordAudit(tx, owner, 'key.create', details);
    else await recordAudit(tx, owner, 'key.replace', { ...details, replacedId: replaced.id, replaced: replaced.name });
    return { id, key };
  });
  return unlessNamedTwice(make);
}

const endOf = (day: string | null, timeZone: string) =>
  sql`(${day}::text::date + 1)::timestamp at time zone ${timeZone}::text`;

async function findReplaced(tx: PersonTransaction, { companyId }: Owner, id: number) {
  const { name, mustConfirm, expectedEveryMinutes } = apiKeys;
  const [replaced] = await db(tx)
    .select({ id: apiKeys.id, name, mustConfirm, expectedEveryMinutes })
    .from(apiKeys)
    .where(matches(apiKeys, { companyId, id, revokedAt: null }));
  if (!replaced) return 'no-such-key';
  const replacements = await countRows(db(tx), apiKeys, { companyId, replacesId: id, revokedAt: null });
  return replacements > 0 ? 'already-replaced' : replaced;
}

// Another active key may have the name.
const unlessNamedTwice = <Made>(change: Promise<Made>) =>
  unlessDuplicate('api_keys_active_name', 'duplicate-name', change);

/** Revokes a key, in every process from the next request. A send under way commits before this returns, or never. */
export async function revokeKey(owner: Owner, id: number): Promise<'revoked' | 'no-such-key'> {
  return withOwner(owner, async (tx) => {
    const [revoked] = await db(tx)
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(matches(apiKeys, { companyId: owner.companyId, id, revokedAt: null }))
      .returning({ name: apiKeys.name, fingerprint: apiKeys.fingerprint });
    if (!revoked) return 'no-such-key';
    const { name, fingerprint } = revoked;
    await recordAudit(tx, owner, 'key.revoke', { keyId: id, name, fingerprint: fingerprintStartOf(fingerprint) });
    return 'revoked';
  });
}

/** Finds the valid key with this fingerprint, or null. Upstash counts the request. */
export async function authenticateKey(fingerprint: Buffer): Promise<ApiKey | null> {
  const { companyId, id, name } = apiKeys;
  return findRow(
    db()
      .select({ kind: sql<'key'>`'key'`, companyId, companyName: companies.name, id, name })
      .from(apiKeys)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(and(eq(apiKeys.fingerprint, fingerprint), isValidKey())),
  );
}

/**
 * What an owner sets for a key. `note`: at most 500 characters. `expectedEveryMinutes`: in how many its next send is
 * expected (null: no expectation). `expiresOn`: as of a `NewKey`.
 */
type KeySettings = Pick<Rows['apiKeys'], 'name' | 'note' | 'mustConfirm' | 'expectedEveryMinutes'> & {
  expiresOn: string | null;
};

/**
 * Changes settings of an active key, also an expired one. A changed expectation counts from now on. `'reauthenticate'`:
 * the last day gives or takes access, so it needs `reauthenticated`.
 */
export async function editKey(
  owner: Owner,
  id: number,
  settings: Partial<KeySettings>,
  { reauthenticated = true } = {},
) {
  const edit = withOwner(owner, async (tx) => {
    const before = await lockSettings(tx, owner, id);
    if (!before) return 'no-such-key';
    const { today, ...was } = before;
    const changed = findChanges<KeySettings>(was, { ...was, ...settings });
    if (!changed) return 'edited';
    if (changed.changes.expiresOn && changed.changes.expiresOn < today) return 'day-is-past';
    if ('expiresOn' in changed.changes && !reauthenticated) return 'reauthenticate';
    const { expiresOn, ...columns } = changed.changes;
    const { expectedEveryMinutes: minutes } = columns;
    const expectedSince = minutes ? sql`now()` : null;
    await db(tx)
      .update(apiKeys)
      .set({
        ...columns,
        ...(minutes !== undefined && { expectedSince, silenceCheckAt: null }),
        ...(expiresOn !== undefined && { expiresAt: endOf(expiresOn, owner.timeZone) }),
      })
      .where(byId(apiKeys, owner, id));
    await recordAudit(tx, owner, 'key.edit', { keyId: id, name: was.name, ...changed });
    return 'edited';
  });
  return unlessNamedTwice(edit);
}

async function lockSettings(tx: PersonTransaction, { companyId, timeZone }: Owner, id: number) {
  const { name, note, mustConfirm, expectedEveryMinutes } = apiKeys;
  const expiresOn = lastValidDay(timeZone);
  const today = sql<string>`(now() at time zone ${timeZone}::text)::date::text`;
  return findRow(
    db(tx)
      .select({ name, note, mustConfirm, expectedEveryMinutes, expiresOn, today })
      .from(apiKeys)
      .where(matches(apiKeys, { companyId, id, revokedAt: null }))
      .for('no key update'),
  );
}
