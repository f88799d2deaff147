import { inTransaction } from '#db/client.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/**
 * What an owner sets for a key: a note of at most 500 characters, whether employees must confirm
 * its notifications, and the number of minutes within which its next send is expected (null: no
 * expectation).
 */
export type KeySettings = { note: string | null; mustConfirm: boolean; expectedEveryMinutes: number | null };

/**
 * Changes the settings of an active key. A changed expectation counts from now on. Writes nothing
 * when nothing changes. Returns `'no-such-key'` for a key that is revoked or belongs to another
 * company.
 */
export async function editKey(owner: Owner, id: number, settings: KeySettings): Promise<'edited' | 'no-such-key'> {
  return inTransaction(async (tx) => {
    const [before] = await tx<(KeySettings & { name: string })[]>`
      select name, note, must_confirm as "mustConfirm", expected_every_minutes as "expectedEveryMinutes"
      from api_keys where company_id = ${owner.companyId} and id = ${id} and revoked_at is null for no key update`;
    if (!before) return 'no-such-key';
    const { name, ...was } = before;
    const changed = findChanges(was, settings);
    if (!changed) return 'edited';
    const { note, mustConfirm, expectedEveryMinutes } = settings;
    await tx`
      update api_keys set note = ${note}, must_confirm = ${mustConfirm}, expected_every_minutes = ${expectedEveryMinutes},
        expected_since = case
          when expected_every_minutes is not distinct from ${expectedEveryMinutes}::int then expected_since
          when ${expectedEveryMinutes}::int is not null then now() end
      where company_id = ${owner.companyId} and id = ${id}`;
    await recordAudit(tx, owner, 'key.edit', { keyId: id, name, ...changed });
    return 'edited';
  });
}
