import { db, deleteRows, findRow, inTransaction, matches, type Rows } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { and, eq, exists, type SQL, sql } from '#db/drizzle.cjs';
import { identities, providerLogouts, sessions } from '#db/schema/tables.ts';
import { countUses } from '#server/accounts/sign-in/limits.ts';

const endedHere = (issuer: string, sid: string) => ({ text: `ended\n${issuer}\n${sid}`, minutes: 24 * 60, most: 1 });

/** Remembers for a day that a provider's session ended here: it names it when its person signs out there too. */
export async function rememberEnded({ issuer, providerSid }: Pick<Rows['sessions'], 'issuer' | 'providerSid'>) {
  if (issuer && providerSid) await countUses([endedHere(issuer, providerSid)]);
}

/**
 * Ends what a provider has ended: the sessions of its own `sid`; without one, or when none has it and none ended here,
 * all of the person `sub` that it opened.
 */
export async function endProviderSessions(
  issuer: string,
  { sid = null, sub = null }: { sid?: string | null; sub?: string | null },
): Promise<void> {
  const receivedAt = sql`now()`;
  await db()
    .insert(providerLogouts)
    .values({ issuer, receivedAt })
    .onConflictDoUpdate({ target: providerLogouts.issuer, set: { receivedAt } });
  const isOfIssuer = eq(sessions.issuer, issuer);
  if (sid !== null && (await endWhere(and(isOfIssuer, eq(sessions.providerSid, sid))))) return;
  if (sub === null || (sid !== null && (await countUses([endedHere(issuer, sid)])) > 0)) return;
  const { companyId, accountId } = sessions;
  const ofPerson = matches(identities, { companyId, accountId, issuer, subject: sub });
  await endWhere(and(isOfIssuer, exists(db().select({ id: identities.id }).from(identities).where(ofPerson))));
}

async function endWhere(isOfProvider: SQL | undefined): Promise<boolean> {
  const companies = await db().selectDistinct({ companyId: sessions.companyId }).from(sessions).where(isOfProvider);
  for (const { companyId } of companies)
    await inTransaction(async (tx) => {
      await announceAccessChange(tx, { companyId });
      await deleteRows(db(tx), sessions, { companyId }, isOfProvider);
    });
  return companies.length > 0;
}

export async function findLastLogout(issuer: string): Promise<Date | null> {
  const { receivedAt } = providerLogouts;
  const ofIssuer = eq(providerLogouts.issuer, issuer);
  const last = await findRow(db().select({ receivedAt }).from(providerLogouts).where(ofIssuer));
  return last?.receivedAt ?? null;
}
