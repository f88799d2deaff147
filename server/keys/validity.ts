import { type AnyPgColumn, alias, type SQL, sql } from '#db/drizzle.cjs';
import { apiKeys } from '#db/schema/tables.ts';

/** The keys under the name that statements in text give them. */
export const k = alias(apiKeys, 'k');

type Key = { revokedAt: AnyPgColumn; expiresAt: AnyPgColumn };

/** Whether a key is neither revoked nor expired now, by the clock of the database. The rule is in db/migrations/0003. */
export const isValidKey = (key: Key = apiKeys): SQL<boolean> => sql`is_valid_key_1(${key.revokedAt}, ${key.expiresAt})`;

/** The last day on which a key is valid, as YYYY-MM-DD; null when it never expires. */
export const lastValidDay = (timeZone: string, key: Key = apiKeys): SQL<string | null> =>
  sql`((${key.expiresAt} at time zone ${timeZone}::text) - interval '1 microsecond')::date::text`;

export const warnDaysBefore = 7;

/** Whether a key with an expiry date is expired, expires `soon` (within `warnDaysBefore`) or `later`. */
export const expiryState = (key: Key = apiKeys): SQL<'expired' | 'soon' | 'later'> => sql`case
  when ${key.expiresAt} <= now() then 'expired'
  when ${key.expiresAt} <= now() + ${warnDaysBefore} * interval '1 day' then 'soon' else 'later' end`;
