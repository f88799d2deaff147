import { inTransaction, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import { type Kind, kinds } from '#server/notifications/kinds.ts';
import type { Manager, Owner } from '#server/principals.ts';

const selectKinds = ({ companyId }: Manager) => sql()<{ chosen: Rows['companies']['mustConfirmKinds'] }[]>`
  select must_confirm_kinds as chosen from companies where id = ${companyId}`;

/** The kinds whose notifications must be confirmed, in the order of `kinds`. */
export async function findMustConfirmKinds(manager: Manager): Promise<Kind[]> {
  const [company] = await selectKinds(manager);
  return kinds.filter((kind) => company?.chosen.includes(kind));
}

/** Sets the kinds whose notifications must be confirmed. Earlier notifications stay as they are. */
export async function setMustConfirmKinds(owner: Owner, requestedKinds: Kind[]): Promise<void> {
  const orderedKinds = kinds.filter((kind) => requestedKinds.includes(kind));
  await inTransaction(async (tx) => {
    const [company] = await tx<{ chosen: string[] }[]>`${selectKinds(owner)} for no key update`;
    const was = { mustConfirmKinds: company?.chosen.join(', ') ?? '' };
    const changed = findChanges(was, { mustConfirmKinds: orderedKinds.join(', ') });
    if (!changed) return;
    await tx`update companies set must_confirm_kinds = ${orderedKinds}::text[] where id = ${owner.companyId}`;
    await recordAudit(tx, owner, 'company.edit', changed);
  });
}
