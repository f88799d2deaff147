import { createHmac } from 'node:crypto';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { db, hasRows, type Rows, requireRow, type Transaction } from '#db/client.ts';
import { and, count, eq, lt, or, type SQLWrapper, sql } from '#db/drizzle.cjs';
import { accounts, companies, notifications } from '#db/schema/tables.ts';
import { authSecret, isSameSecret } from '#platform/config/identity.ts';
import type { Language } from '#platform/language.ts';
import { withNewPassword } from '#server/accounts/sign-in/account.ts';
import { changeSettings, findSettings, recordAudit } from '#server/audit/record.ts';
import { type Kind, kinds } from '#server/notifications/kinds.ts';
import type { Manager, Operator, Owner } from '#server/principals.ts';

/** What owners may change: a name of 1–120 characters and an IANA time zone. */
type CompanyDetails = { companyName: string; timeZone: string };

type NewOwner = { ownerName: string; username: string; password: string; language?: Language };

/** Whether any owner exists. Until then the set-up page asks for the code of the server's log. */
export const hasOwner = async (tx?: Transaction): Promise<boolean> =>
  hasRows(db(tx).select({ id: accounts.id }).from(accounts).where(sql`${accounts.isOwner}`).limit(1));

/** Creates a company and its owner. With `onlyFirst`, only while no owner exists: of two concurrent calls one succeeds. */
export async function createCompany(input: CompanyDetails & NewOwner, { onlyFirst = false } = {}) {
  const insert = async (tx: Transaction, passwordHash: string) => {
    await db(tx).execute(sql`select pg_advisory_xact_lock(${advisoryLocks.setUp})`);
    if (onlyFirst && (await hasOwner(tx))) return 'already-set-up';
    return insertCompany(tx, input, passwordHash);
  };
  const names = [input.companyName, input.ownerName, input.username];
  return withNewPassword(input.password, names, insert, 'sign-up');
}

async function insertCompany(tx: Transaction, input: CompanyDetails & NewOwner, passwordHash: string): Promise<Owner> {
  const { companyName, timeZone, ownerName, username, language = null } = input;
  const company = { name: companyName, timeZone };
  const { companyId } = await requireRow(
    db(tx).insert(companies).values(company).returning({ companyId: companies.id }),
  );
  const account = { companyId, username, name: ownerName, passwordHash, isOwner: true, language };
  const { accountId } = await requireRow(db(tx).insert(accounts).values(account).returning({ accountId: accounts.id }));
  const actor = { companyId, accountId, name: ownerName };
  await recordAudit(tx, actor, 'company.create', { name: companyName, timeZone, username });
  return { kind: 'owner', ...actor, companyName, timeZone };
}

export const editCompany = (owner: Owner, { companyName: name, timeZone }: CompanyDetails) =>
  changeSettings(owner, { name, timeZone });

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The set-up code in the server's log, such as `K7QM-2XWT-9DHP`. It derives from AUTH_SECRET, for all processes. */
export function setupCode(): string {
  const digest = createHmac('sha256', authSecret()).update('set-up code').digest();
  const letters = [...digest.subarray(0, 12)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Whether a text is the set-up code; case, spaces and dashes do not matter. */
export function isSetupCode(text: string): boolean {
  const plain = (code: string) => Buffer.from(code.toUpperCase().replace(/[^0-9A-Z]/g, ''));
  return isSameSecret(plain(text), plain(setupCode()));
}

export async function findMustConfirmKinds(manager: Manager): Promise<Kind[]> {
  const { mustConfirmKinds } = await findSettings(manager, ['mustConfirmKinds']);
  return kinds.filter((kind) => mustConfirmKinds.includes(kind));
}

/** Sets the kinds whose notifications must be confirmed. Earlier notifications stay as they are. */
export const setMustConfirmKinds = (owner: Owner, chosen: Kind[]) =>
  changeSettings(owner, { mustConfirmKinds: kinds.filter((kind) => chosen.includes(kind)) });

/** The companies as the operator sees them. `owners` counts their owners, `people` their active employees. */
export async function listCompanies(_: Operator) {
  const { id: companyId, name, activeEmployees: people, createdAt } = companies;
  return db()
    .select({ companyId, name, people, createdAt, owners: count(accounts.id) })
    .from(companies)
    .leftJoin(accounts, and(eq(accounts.companyId, companies.id), sql`${accounts.isOwner}`))
    .groupBy(companies.id)
    .orderBy(companies.id);
}

/** The company with this number or, in any case, name; with null, the only one. `'several'`: more than one. */
export async function findCompany(_: Operator, numberOrName: string | null) {
  const byNumber = /^\d{1,9}$/.test(numberOrName ?? '') ? eq(companies.id, Number(numberOrName)) : undefined;
  const [company, another] = await db()
    .select({ companyId: companies.id, name: companies.name })
    .from(companies)
    .where(numberOrName === null ? undefined : or(sql`lower(${companies.name}) = lower(${numberOrName})`, byNumber))
    .orderBy(companies.id)
    .limit(2);
  if (!company) return 'no-such-company';
  return another ? 'several' : company;
}

/** How many days a company keeps notifications (null: for ever) and rejected requests. */
export type Retention = Pick<Rows['companies'], 'keepNotificationsDays' | 'keepRefusalsDays'>;

/** The choices for notifications in days, beside "for ever". */
export const notificationDays = [90, 180, 365, 730, 1095, 1825] as const;

export const rejectedRequestDays = [7, 30, 90] as const;

export const findRetention = (owner: Owner): Promise<Retention> =>
  findSettings(owner, ['keepNotificationsDays', 'keepRefusalsDays']);

/** The timestamp before which rows are too old: `days` whole days in the company's time zone. Null: never. */
export const retentionExpiry = (days: SQLWrapper) => {
  const zone = companies.timeZone;
  return sql`((date_trunc('day', now() at time zone ${zone}) - ${days} * interval '1 day') at time zone ${zone})`;
};

/** Counts the notifications that a retention of `days` would delete, up to 100,000. */
export async function countTooOld({ companyId }: Owner, days: number): Promise<number> {
  const oldest = db()
    .select({ createdAt: notifications.createdAt })
    .from(notifications)
    .where(eq(notifications.companyId, companyId))
    .orderBy(notifications.no)
    .limit(100_000)
    .as('oldest');
  const isTooOld = lt(oldest.createdAt, retentionExpiry(sql`${days}::int`));
  const ofCompany = and(eq(companies.id, companyId), isTooOld);
  return (await requireRow(db().select({ count: count() }).from(oldest).innerJoin(companies, ofCompany))).count;
}

/** Changes the retention. The hourly job then deletes what is too old. */
export const changeRetention = (owner: Owner, retention: Retention) => changeSettings(owner, retention);
