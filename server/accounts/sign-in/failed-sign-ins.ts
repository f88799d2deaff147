import { byId, db, hasRows, type Transaction } from '#db/client.ts';
import { alias, and, desc, eq, exists, inArray, sql } from '#db/drizzle.cjs';
import { accounts, companies, failedSignIns, ownerDevices } from '#db/schema/tables.ts';
import type { Owner } from '#server/principals.ts';

// A person who forgot their password gives up before 20 attempts.
const minFailuresOfAccount = 20;
const minFailuresOfCompany = 100;
const shownNames = 3;

const isRecent = sql`${failedSignIns.lastAt} > now() - interval '1 hour'`;

/**
 * Someone guesses passwords of a company: wrong ones from unknown browsers, without a right one from the same address.
 * `names`: three accounts with the most failures; `more`: how many others.
 */
export type Guessing = { names: string[]; more: number; failures: number; addresses: number; since: Date };

/** Whether someone guesses: 20 failures for an account, or 100 for the company. Null an hour after the last. */
export async function findGuessing({ companyId }: Pick<Owner, 'companyId'>, tx?: Transaction) {
  const failures = sql<number>`sum(${failedSignIns.failures})::int`;
  const failed = await db(tx)
    .select({
      name: accounts.name,
      failures,
      since: sql<Date>`min(${failedSignIns.startedAt})`,
      sources: sql<string[]>`array_agg(encode(${failedSignIns.source}, 'hex'))`,
    })
    .from(failedSignIns)
    .innerJoin(accounts, byId(accounts, failedSignIns, failedSignIns.accountId))
    .where(and(eq(failedSignIns.companyId, companyId), isRecent))
    .groupBy(accounts.companyId, accounts.id, accounts.name)
    .orderBy(desc(failures), accounts.id);
  const attacked = failed.filter(({ failures }) => failures >= minFailuresOfAccount);
  const all = failed.reduce((sum, { failures }) => sum + failures, 0);
  const guessed = attacked.length > 0 ? attacked : all >= minFailuresOfCompany ? failed : [];
  if (guessed.length === 0) return null;
  return {
    names: guessed.slice(0, shownNames).map(({ name }) => name),
    more: Math.max(0, guessed.length - shownNames),
    failures: guessed.reduce((sum, { failures }) => sum + failures, 0),
    addresses: new Set(guessed.flatMap(({ sources }) => sources)).size,
    since: new Date(Math.min(...guessed.map(({ since }) => since.getTime()))),
  };
}

export type GuessingToPush = { kind: 'guessing'; companyId: number; failures: number };

const { guessingPushedAt } = companies;
const isUntold = sql`(${guessingPushedAt} is null or ${guessingPushedAt} <= now() - interval '1 hour')`;

/** Takes the companies with guessing of which the owners' devices did not hear for an hour; one process gets each. */
export async function takeGuessingToPush(tx: Transaction): Promise<GuessingToPush[]> {
  const recent = alias(failedSignIns, 'recent');
  const isNow = sql`${recent.lastAt} > now() - interval '10 minutes'`;
  const failing = db(tx).select({ companyId: recent.companyId }).from(recent).where(isNow);
  const isOfCompany = eq(ownerDevices.companyId, failedSignIns.companyId);
  const device = db(tx).select({ companyId: ownerDevices.companyId }).from(ownerDevices).where(isOfCompany);
  const suspects = await db(tx)
    .select({ companyId: failedSignIns.companyId })
    .from(failedSignIns)
    .innerJoin(companies, eq(companies.id, failedSignIns.companyId))
    .where(and(inArray(failedSignIns.companyId, failing), isRecent, isUntold, exists(device)))
    .groupBy(failedSignIns.companyId)
    .having(
      sql`sum(${failedSignIns.failures}) >= ${minFailuresOfAccount}
        and max(${failedSignIns.lastAt}) > coalesce(max(${guessingPushedAt}), '-infinity')`,
    )
    .orderBy(failedSignIns.companyId)
    .limit(100);
  const pushes: GuessingToPush[] = [];
  for (const { companyId } of suspects) {
    const guessing = await findGuessing({ companyId }, tx);
    if (!guessing) continue;
    const told = db(tx)
      .update(companies)
      .set({ guessingPushedAt: sql`now()` })
      .where(and(eq(companies.id, companyId), isUntold))
      .returning({ id: companies.id });
    if (await hasRows(told)) pushes.push({ kind: 'guessing', companyId, failures: guessing.failures });
  }
  return pushes;
}
