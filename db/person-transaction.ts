import { byId, db, hasRows, inTransaction, type Transaction } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { and, or } from '#db/drizzle.cjs';
import { accounts, sessions } from '#db/schema/tables.ts';
import { type Manager, type Owner, RightsEnded, type Session } from '#server/principals.ts';

declare const checked: unique symbol;

/**
 * A transaction of an owner or manager. It holds the company's row, and the person's rights were
 * checked after it took the row. Each change of rights takes the row first, so the rights last
 * until the commit. Only `asManager` and `asOwner` make one: a function that takes it cannot run
 * with rights that have ended.
 */
export type PersonTransaction = Transaction & { readonly [checked]: true };

/**
 * Runs `work` in a transaction of a person who is an owner or manager of their company now, and
 * returns its value. Otherwise throws `RightsEnded`, which form actions answer as the session's end.
 */
export const asManager = <Result>(
  manager: Manager,
  work: (tx: PersonTransaction) => Promise<Result>,
): Promise<Result> => withRights(manager, 'manager', work);

/** As `asManager`, for a person who is an owner now. */
export const asOwner = <Result>(owner: Owner, work: (tx: PersonTransaction) => Promise<Result>): Promise<Result> =>
  withRights(owner, 'owner', work);

/**
 * Runs `work` in a transaction of a person whose session has not ended, for what changes how they
 * sign in. As `asManager`: each end of a session takes the company's row first, so a way in that its
 * end removes cannot come back. Otherwise throws `RightsEnded`.
 */
export function asSignedIn<Result>(
  { account, sessionId }: Pick<Session, 'account' | 'sessionId'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { companyId } = account;
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, account);
    const ofSession = byId(sessions, { companyId }, sessionId);
    const isOpen = await hasRows(db(tx).select({ id: sessions.id }).from(sessions).where(ofSession));
    if (!isOpen) throw new RightsEnded();
    return work(tx);
  });
}

function withRights<Result>(
  person: Manager,
  rights: 'manager' | 'owner',
  work: (tx: PersonTransaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(async (tx) => {
    const checkedTx = await checkRights(tx, person, rights);
    if (!checkedTx) throw new RightsEnded();
    return work(checkedTx);
  });
}

/**
 * Locks the company's row and returns the transaction as one of the person, or null when the person
 * is no owner or manager now. For what the service does for a person who is not there.
 */
export async function checkRights(
  tx: Transaction,
  person: Manager,
  rights: 'manager' | 'owner' = 'manager',
): Promise<PersonTransaction | null> {
  const { companyId, accountId } = person;
  await lockCompanyRow(tx, person);
  const hasRights = or(accounts.isOwner, rights === 'manager' ? accounts.isManager : undefined);
  const ofPerson = and(byId(accounts, { companyId }, accountId), hasRights);
  const isAllowed = await hasRows(db(tx).select({ id: accounts.id }).from(accounts).where(ofPerson));
  return isAllowed ? (tx as PersonTransaction) : null;
}
