import { byId, db } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { type AnyPgColumn, and, eq, type SQL, type SQLWrapper, sql } from '#db/drizzle.cjs';
import type { Rows } from '#db/schema/rows.ts';
import { accounts, companies, sessions } from '#db/schema/tables.ts';
import { changeSettings } from '#server/audit/company-settings.ts';
import type { Owner, Session } from '#server/principals.ts';

type SessionColumns = Record<'expiresAt' | 'confirmBy' | 'confirmedAt' | 'seenAt', AnyPgColumn>;
type AccountColumns = Record<'id' | 'isOwner' | 'isManager', AnyPgColumn>;
type CompanyColumns = Record<
  'managersIdleMinutes' | 'employeesIdleMinutes' | 'fallbackAccountId' | 'onlyIssuer',
  AnyPgColumn
>;

/** After how many minutes without activity sessions end; null: after the 30 days of each session. */
export type IdleLimits = Pick<Rows['companies'], 'managersIdleMinutes' | 'employeesIdleMinutes'>;

/** The choices in minutes, beside null. An open portal of an employee is noted once an hour. */
export const idleChoices = { managers: [15, 60, 480, 10_080], employees: [480, 1440, 10_080] } as const;

/**
 * SQL: when a session ends without further activity: opened pages and actions; of employees the open portal too. What a
 * page of an owner or manager asks for by itself is no activity: a left computer would never sign out. One of a
 * provider also ends when that has not confirmed it in time.
 */
export const sessionEndOf = (session: SessionColumns = sessions, account?: AccountColumns, company?: CompanyColumns) =>
  endWith(sql`${session.confirmBy}`, session, account, company);

/** For how many days a portal rings, with titles only, that its provider does not confirm. */
const unconfirmedDays = 7;

/** As `sessionEndOf`, of what rings: the portal, bells and devices of an employee, and an owner's alarms. */
export const ringEndOf = (session: SessionColumns = sessions, account?: AccountColumns, company?: CompanyColumns) =>
  endWith(lastConfirmationOf(session), session, account, company);

/** SQL: when the last hour of what rings begins, however often the portal is in use. */
export const lastHourOf = (session: SessionColumns = sessions) =>
  sql`(least(${session.expiresAt}, ${lastConfirmationOf(session)}) - interval '1 hour')`;

const lastConfirmationOf = (session: SessionColumns) =>
  sql`greatest(${session.confirmBy}, ${session.confirmedAt} + ${unconfirmedDays} * interval '1 day')`;

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

/** SQL: the issuer of the only provider of an account, or null. The owner whose password is the way back has none. */
export const onlyIssuerOf = (account: AccountColumns, company: CompanyColumns) => sql<string | null>`
  case when (${account.isOwner} and ${account.id} = ${company.fallbackAccountId}) is not true then ${company.onlyIssuer} end`;

/** SQL: whether an account may sign in, or prove itself, with `issuer`; null: with a password, passkey or link. */
export const isWayOf = (
  issuer: string | null | SQLWrapper,
  account: AccountColumns = accounts,
  company: CompanyColumns = companies,
) => {
  const only = onlyIssuerOf(account, company);
  return sql<boolean>`coalesce(${only} = ${issuer}, ${only} is null)`;
};

/**
 * Marks a session as re-authenticated and, with `hasSecondFactor`, as one of two factors. `'provider-only'`: the
 * company allows its provider only, so just the second factor is marked.
 */
export async function proveSession(
  { account, sessionId }: Pick<Session, 'account' | 'sessionId'>,
  { issuer, hasSecondFactor }: Pick<Session, 'issuer' | 'hasSecondFactor'>,
) {
  const provedAt = sql`case when ${isWayOf(issuer)} then now() else ${sessions.provedAt} end`;
  const [proved] = await db()
    .update(sessions)
    .set({ provedAt, hasSecondFactor: hasSecondFactor || undefined })
    .from(accounts)
    .innerJoin(companies, eq(companies.id, accounts.companyId))
    .where(and(byId(sessions, account, sessionId), byId(accounts, sessions, sessions.accountId)))
    .returning({ isWay: isWayOf(issuer) });
  return proved?.isWay === false ? 'provider-only' : 'proved';
}
