import { requireRow, type Sql, sql, type Transaction } from '#db/client.ts';
import { asOwner, type PersonTransaction } from '#db/person-transaction.ts';
import { asColumn, type Rows } from '#db/schema/rows.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Manager, Owner } from '#server/principals.ts';

type Name = keyof Rows['companies'];

/** Reads columns of the company. */
export async function findSettings<Names extends Name>(
  { companyId }: Pick<Manager, 'companyId'>,
  names: Names[],
  from: Sql | Transaction = sql(),
): Promise<Pick<Rows['companies'], Names>> {
  const row = await requireRow(from`select ${from(names.map(asColumn))} from companies where id = ${companyId}`);
  return Object.fromEntries(names.map((name) => [name, row[asColumn(name)]])) as Pick<Rows['companies'], Names>;
}

/**
 * Changes columns of the owner's company, with one audit entry. `follow` does in the same transaction
 * what the change requires. Neither happens when nothing changes.
 */
export async function changeSettings<Names extends Name>(
  owner: Owner,
  settings: Pick<Rows['companies'], Names>,
  follow?: (tx: PersonTransaction) => Promise<unknown>,
): Promise<'changed' | 'unchanged'> {
  return asOwner(owner, async (tx) => {
    const names = Object.keys(settings) as Names[];
    const was = await findSettings(owner, names, tx);
    const changed = findChanges(asTexts(was), asTexts(settings));
    if (!changed) return 'unchanged';
    const columns = Object.fromEntries(names.map((name) => [asColumn(name), settings[name]]));
    await tx`update companies set ${tx(columns)} where id = ${owner.companyId}`;
    await recordAudit(tx, owner, 'company.edit', changed);
    await follow?.(tx);
    return 'changed';
  });
}

// The audit log has a list as one text.
const asTexts = (settings: object) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
