import { type Fragment, sql } from '#db/client.ts';

/**
 * Whether a key is valid at this moment, by the clock of the database: neither revoked nor expired.
 * For a statement that reads from `api_keys k`.
 */
export const isValidKey = (): Fragment => sql()`k.revoked_at is null and k.expires_at > now() is not false`;

/**
 * The last day on which a key is valid, as YYYY-MM-DD; null when it never expires. For a statement
 * that reads from `api_keys k`.
 */
export const lastValidDay = (timeZone: string): Fragment =>
  sql()`((k.expires_at at time zone ${timeZone}::text) - interval '1 microsecond')::date::text`;

/** How many days before its end an owner is warned of a key that expires. */
export const warnDaysBefore = 7;

/**
 * Whether a key that has an expiry date is expired, expires `soon` (within `warnDaysBefore`) or
 * `later`. For a statement that reads from `api_keys k`.
 */
export const expiryState = (): Fragment => sql()`case
  when k.expires_at <= now() then 'expired'
  when k.expires_at <= now() + ${warnDaysBefore} * interval '1 day' then 'soon' else 'later' end`;
