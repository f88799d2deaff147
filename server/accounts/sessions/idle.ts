import { asFragment } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { type AnyPgColumn, alias, sql } from '#db/drizzle.cjs';
import type { Rows } from '#db/schema/rows.ts';
import { accounts, companies, sessions } from '#db/schema/tables.ts';
import { changeSettings } from '#server/audit/company-settings.ts';
import type { Owner } from '#server/principals.ts';

/** After how many minutes without activity sessions end; null: after the 30 days of each session. */
export type IdleLimits = Pick<Rows['companies'], 'managersIdleMinutes' | 'employeesIdleMinutes'>;

/** The choices in minutes, beside null. An open portal of an employee is noted once an hour. */
export const idleChoices = { managers: [15, 60, 480, 10_080], employees: [480, 1440, 10_080] } as const;

/**
 * SQL: when a session of an account of a company ends without further activity. Opened pages and actions
 * are activity. For employees the open portal is, too: it must ring while nobody touches it. What a page
 * of an owner or manager asks for by itself is not, because a left computer would then never sign out. A
 * session through a provider also ends when the provider has not confirmed it in time.
 */
export const sessionEndOf = (
  session: Record<'expiresAt' | 'confirmBy' | 'seenAt', AnyPgColumn> = sessions,
  account: Record<'isOwner' | 'isManager', AnyPgColumn> = accounts,
  company: Record<'managersIdleMinutes' | 'employeesIdleMinutes', AnyPgColumn> = companies,
) => sql`
  least(${session.expiresAt}, ${session.confirmBy}, ${session.seenAt} + make_interval(mins => case
    when ${account.isOwner} or ${account.isManager} then ${company.managersIdleMinutes}
    else ${company.employeesIdleMinutes} end))`;

/** As `sessionEndOf`, of the account `a` of the company `c`; `session` is the alias of its row. */
export const sessionEnd = (session: 's' | 'old' | 'held' = 's') =>
  asFragment(sessionEndOf(alias(sessions, session), alias(accounts, 'a'), alias(companies, 'c')));

/** Changes the idle limits. Sessions that were idle for longer end at once. */
export const changeIdleLimits = (owner: Owner, limits: IdleLimits) =>
  changeSettings(owner, limits, (tx) => announceAccessChange(tx, owner));
