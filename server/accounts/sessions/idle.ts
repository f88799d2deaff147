import { sql } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import type { Rows } from '#db/schema/rows.ts';
import { changeSettings } from '#server/audit/company-settings.ts';
import type { Owner } from '#server/principals.ts';

/** After how many minutes without activity sessions end; null: after the 30 days of each session. */
export type IdleLimits = Pick<Rows['companies'], 'managersIdleMinutes' | 'employeesIdleMinutes'>;

/** The choices in minutes, beside null. An open portal of an employee is noted once an hour. */
export const idleChoices = { managers: [15, 60, 480, 10_080], employees: [480, 1440, 10_080] } as const;

/**
 * When a session ends without further activity, as SQL over the account `a` and the company `c`;
 * `session` is the alias of its row. Opened pages and actions are activity. For employees the open
 * portal is, too: it must ring while nobody touches it. What a page of an owner or manager asks for
 * by itself is not, because a left computer would then never sign out. A session through a provider
 * also ends when the provider has not confirmed it in time.
 */
export const sessionEnd = (session: 's' | 'old' | 'held' = 's') => sql()`
  least(${sql()(session)}.expires_at, ${sql()(session)}.confirm_by, ${sql()(session)}.seen_at + make_interval(mins =>
    case when a.is_owner or a.is_manager then c.managers_idle_minutes else c.employees_idle_minutes end))`;

/** Changes the idle limits. Sessions that were idle for longer end at once. */
export const changeIdleLimits = (owner: Owner, limits: IdleLimits) =>
  changeSettings(owner, limits, (tx) => announceAccessChange(tx, owner));
