import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { companies } from '#db/schema.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import { asKind, type Kind, kinds } from '#server/notifications/kinds.ts';
import type { Owner } from '#server/principals.ts';

/** The kinds whose notifications people must confirm, in the order of all kinds. */
export async function findMustConfirmKinds(owner: Owner): Promise<Kind[]> {
  const [company] = await db()
    .select({ chosen: companies.mustConfirmKinds })
    .from(companies)
    .where(eq(companies.id, owner.companyId));
  const chosen = new Set(company?.chosen.map(asKind));
  return kinds.filter((kind) => chosen.has(kind));
}

/** Decides which kinds must be confirmed from now on; what was sent before stays as it is. */
export async function setMustConfirmKinds(owner: Owner, wanted: Kind[]): Promise<void> {
  const chosen = kinds.filter((kind) => wanted.includes(kind));
  await db().transaction(async (transaction) => {
    const mine = eq(companies.id, owner.companyId);
    const [before] = await transaction
      .select({ chosen: companies.mustConfirmKinds })
      .from(companies)
      .where(mine)
      .for('no key update');
    const said = { mustConfirmKinds: chosen.join(', ') };
    const changed = findChanges({ mustConfirmKinds: before?.chosen.join(', ') ?? '' }, said);
    if (!changed) return;
    await transaction.update(companies).set({ mustConfirmKinds: chosen }).where(mine);
    await recordAudit(transaction, owner, 'company.edit', changed);
  });
}
