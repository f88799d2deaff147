import { countRows, db, hasNotifyRoom, inTransaction, type Transaction } from '#db/client.ts';
import { eq, or, sql } from '#db/drizzle.cjs';
import { accounts, companies, sessions } from '#db/schema/tables.ts';
import { type Manager, type Owner, RightsEnded, type Session } from '#server/principals.ts';

type Company = { companyId: number };

/**
 * Increases the company's `accessNo`, so that all processes check their cached sessions. Call it first in a transaction
 * that may end a session: its lock of the company's row precedes all others.
 */
export async function announceAccessChange(tx: Transaction, { companyId }: Company): Promise<void> {
  await db(tx)
    .update(companies)
    .set({ accessNo: sql`${companies.accessNo} + 1` })
    .where(eq(companies.id, companyId));
  await db(tx).execute(sql`select pg_notify('access', ${String(companyId)}) where ${hasNotifyRoom}`);
}

/** Locks the company's row. Take it before any other lock: then two transactions of one company cannot deadlock. */
export async function lockCompanyRow(tx: Transaction, { companyId }: Company): Promise<void> {
  await db(tx).select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}

declare const checked: unique symbol;

/**
 * A transaction of an owner or manager, which holds the company's row; their rights were checked after that. Each
 * change of rights takes the row first, so they last until the commit. Only `withManager` and `withOwner` make one.
 */
export type PersonTransaction = Transaction & { readonly [checked]: true };

const withRights =
  <Person extends Manager>(rights: Manager['kind']) =>
  <Result>(person: Person, work: (tx: PersonTransaction) => Promise<Result>): Promise<Result> =>
    inTransaction(async (tx) => {
      const checkedTx = await checkRights(tx, person, rights);
      if (!checkedTx) throw new RightsEnded();
      return work(checkedTx);
    });

/** Runs `work` in a transaction of a person who is owner or manager now. Otherwise throws `RightsEnded`. */
export const withManager = withRights<Manager>('manager');

/** As `withManager`, for a person who is an owner now. */
export const withOwner = withRights<Owner>('owner');

/** As `withManager`, for a session that has not ended: a way in that its end removes cannot come back. */
export function withSignedIn<Result>(
  { account, sessionId }: Pick<Session, 'account' | 'sessionId'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { companyId } = account;
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, account);
    if ((await countRows(db(tx), sessions, { companyId, id: sessionId })) === 0) throw new RightsEnded();
    return work(tx);
  });
}

/** The transaction as one of a person, whose company's row it locks; null when they are no owner or manager now. */
export async function checkRights(
  tx: Transaction,
  person: Manager,
  rights: Manager['kind'] = 'manager',
): Promise<PersonTransaction | null> {
  const { companyId, accountId } = person;
  await lockCompanyRow(tx, person);
  const hasRights = or(accounts.isOwner, rights === 'manager' ? accounts.isManager : undefined);
  const count = await countRows(db(tx), accounts, { companyId, id: accountId }, hasRights);
  return count > 0 ? (tx as PersonTransaction) : null;
}
