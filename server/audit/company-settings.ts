import { db, requireRow, type Sql, type Transaction } from '#db/client.ts';
import { type AnyPgColumn, eq } from '#db/drizzle.cjs';
import { type PersonTransaction, withOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { companies } from '#db/schema/tables.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Manager, Owner } from '#server/principals.ts';

type Name = keyof Rows['companies'];

export async function findSettings<Names extends Name>(
  { companyId }: Pick<Manager, 'companyId'>,
  names: Names[],
  from?: Sql | Transaction,
): Promise<Pick<Rows['companies'], Names>> {
  const columns: Record<string, AnyPgColumn> = Object.fromEntries(names.map((name) => [name, companies[name]]));
  const row = await requireRow(db(from).select(columns).from(companies).where(eq(companies.id, companyId)));
  return row as unknown as Pick<Rows['companies'], Names>;
}

/** Changes columns of the owner's company, with one audit entry. `follow` runs in the same transaction. */
export async function changeSettings<Names extends Name>(
  owner: Owner,
  settings: Pick<Rows['companies'], Names>,
  follow?: (tx: PersonTransaction) => Promise<unknown>,
): Promise<'changed' | 'unchanged'> {
  return withOwner(owner, async (tx) => {
    const names = Object.keys(settings) as Names[];
    const was = await findSettings(owner, names, tx);
    const changed = findChanges(asTexts(was), asTexts(settings));
    if (!changed) return 'unchanged';
    await db(tx).update(companies).set(settings).where(eq(companies.id, owner.companyId));
    await recordAudit(tx, owner, 'company.edit', changed);
    await follow?.(tx);
    return 'changed';
  });
}

// The audit log has a list as one text.
function asTexts(settings: object) {
  const asText = (value: unknown) => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, asText(value)]));
}
