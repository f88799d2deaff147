import { and, eq, sql as expression, isNull } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { apiKeys } from '#db/schema.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/**
 * What an owner sets for a key: a note of up to 500 characters, whether its notifications must be confirmed, and within how many
 * minutes a send is expected again (null: never).
 */
export type KeySettings = { note: string | null; mustConfirm: boolean; expectedEveryMinutes: number | null };

/**
 * Changes what is set for an active key; a changed expectation counts from now on. Nothing is written down when nothing
 * changes. A revoked key, or one of another company, is `'no-such-key'`.
 */
export async function editKey(owner: Owner, id: number, settings: KeySettings): Promise<'edited' | 'no-such-key'> {
  return db().transaction(async (transaction) => {
    const one = and(eq(apiKeys.companyId, owner.companyId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt));
    const [before] = await transaction.select().from(apiKeys).where(one).for('no key update');
    if (!before) return 'no-such-key';
    const { note, mustConfirm, expectedEveryMinutes } = before;
    const changed = findChanges({ note, mustConfirm, expectedEveryMinutes }, settings);
    if (!changed) return 'edited';
    const expectedSince = settings.expectedEveryMinutes === null ? null : expression`now()`;
    await transaction
      .update(apiKeys)
      .set({ ...settings, ...('expectedEveryMinutes' in changed.changes ? { expectedSince } : {}) })
      .where(one);
    await recordAudit(transaction, owner, 'key.edit', { keyId: id, name: before.name, ...changed });
    return 'edited';
  });
}
