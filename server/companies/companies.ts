import { and, eq, sql as expression } from 'drizzle-orm';
import { type Database, db } from '#db/client.ts';
import { isDuplicate } from '#db/driver/errors.ts';
import { accounts, companies } from '#db/schema.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/** What a new company needs: its name (1–120 characters), an IANA time zone, and its owner's account. */
export type NewCompany = {
  companyName: string;
  timeZone: string;
  ownerName: string;
  username: string;
  password: string;
  language?: 'id' | 'en';
};

const setUpLockId = 7_236_022;

/** Whether any owner exists; until then the set-up page asks for the code of the server's log. */
export async function hasOwner(database: Database = db()): Promise<boolean> {
  const found = await database.select({ id: accounts.id }).from(accounts).where(eq(accounts.isOwner, true)).limit(1);
  return found.length > 0;
}

/**
 * Makes a company and its owner. With `onlyFirst`, only while no owner exists, even when two people press the
 * button at the same moment. Returns the owner, or why there is none.
 */
export async function createCompany(
  wanted: NewCompany,
  { onlyFirst = false }: { onlyFirst?: boolean } = {},
): Promise<Owner | 'duplicate-username' | 'already-set-up'> {
  const passwordHash = await hashPassword(wanted.password);
  try {
    return await db().transaction(async (transaction) => {
      await transaction.execute(expression`select pg_advisory_xact_lock(${setUpLockId})`);
      if (onlyFirst && (await hasOwner(transaction))) return 'already-set-up';
      return insertCompany(transaction, wanted, passwordHash);
    });
  } catch (error) {
    if (isDuplicate(error, 'accounts_username')) return 'duplicate-username';
    throw error;
  }
}

async function insertCompany(database: Database, wanted: NewCompany, passwordHash: string): Promise<Owner> {
  const { companyName, timeZone, ownerName, username, language = null } = wanted;
  const [company] = await database
    .insert(companies)
    .values({ name: companyName, timeZone })
    .returning({ id: companies.id });
  if (!company) throw new Error('the company was not inserted');
  const [account] = await database
    .insert(accounts)
    .values({ companyId: company.id, username, name: ownerName, passwordHash, isOwner: true, language })
    .returning({ id: accounts.id });
  if (!account) throw new Error('the account was not inserted');
  const owner: Owner = {
    kind: 'owner',
    companyId: company.id,
    companyName,
    timeZone,
    accountId: account.id,
    name: ownerName,
  };
  await recordAudit(database, owner, 'company.create', { name: companyName, timeZone, username });
  return owner;
}

/** What an owner may change of the company and of themself: names of 1–120 characters and an IANA time zone. */
export type CompanyDetails = { companyName: string; timeZone: string; ownerName: string };

/** Changes the company's name and time zone and the name of the owner at hand. What was done before keeps its names. */
export async function editCompany(owner: Owner, wanted: CompanyDetails): Promise<'edited' | 'unchanged'> {
  return db().transaction(async (transaction) => {
    const company = eq(companies.id, owner.companyId);
    const [row] = await transaction.select().from(companies).where(company).for('no key update');
    if (!row) throw new Error(`company ${owner.companyId} does not exist`);
    const was = { companyName: row.name, timeZone: row.timeZone, ownerName: owner.name };
    const changed = findChanges(was, wanted);
    if (!changed) return 'unchanged';
    await transaction.update(companies).set({ name: wanted.companyName, timeZone: wanted.timeZone }).where(company);
    await transaction
      .update(accounts)
      .set({ name: wanted.ownerName })
      .where(and(eq(accounts.companyId, owner.companyId), eq(accounts.id, owner.accountId)));
    await recordAudit(transaction, owner, 'company.edit', changed);
    return 'edited';
  });
}
