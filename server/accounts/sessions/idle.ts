import { announceAccessChange } from '#db/company-row.ts';
import { type AnyPgColumn, type SQL, sql } from '#db/drizzle.cjs';
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
export const sessionEndOf = (session: SessionColumns = sessions, account?: AccountColumns, company?: CompanyColumns) =>
  endWith(sql`${session.confirmBy}`, session, account, company);

/** For how many days a portal rings, with titles only, that its provider does not confirm. */
export const unconfirmedDays = 7;

/** As `sessionEndOf`, of what rings: the portal, bells and devices of an employee, and an owner's alarms. */
export const ringEndOf = (session: SessionColumns = sessions, account?: AccountColumns, company?: CompanyColumns) =>
  endWith(lastConfirmationOf(session), session, account, company);

/** SQL: whether less than an hour is left of what rings, however often the portal is in use. */
export const ringEndsSoon = (session: SessionColumns = sessions) =>
  sql<boolean>`least(${session.expiresAt}, ${lastConfirmationOf(session)}) < now() + interval '1 hour'`;

const lastConfirmationOf = (session: SessionColumns) =>
  sql`greatest(${session.confirmBy}, ${session.confirmedAt} + ${unconfirmedDays} * interval '1 day')`;

type SessionColumns = Record<'expiresAt' | 'confirmBy' | 'confirmedAt' | 'seenAt', AnyPgColumn>;
type AccountColumns = Record<'isOwner' | 'isManager', AnyPgColumn>;
type CompanyColumns = Record<'managersIdleMinutes' | 'employeesIdleMinutes', AnyPgColumn>;

const endWith = (
  confirmBy: SQL,
  session: SessionColumns,
  account: AccountColumns = accounts,
  company: CompanyColumns = companies,
) => sql`
  least(${session.expiresAt}, ${confirmBy}, ${session.seenAt} + make_interval(mins => case
    when ${account.isOwner} or ${account.isManager} then ${company.managersIdleMinutes}
    else ${company.employeesIdleMinutes} end))`;

/** Changes the idle limits. Sessions that were idle for longer end at once. */
export const changeIdleLimits = (owner: Owner, limits: IdleLimits) =>
  changeSettings(owner, limits, (tx) => announceAccessChange(tx, owner));
