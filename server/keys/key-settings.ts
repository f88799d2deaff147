import { inTransaction, type Transaction } from '#db/client.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import { catchDuplicateName } from '#server/keys/keys.ts';
import { lastValidDay } from '#server/keys/validity.ts';
import type { Owner } from '#server/principals.ts';

/**
 * What an owner sets for a key: its name, a note of at most 500 characters, whether employees must
 * confirm its notifications, the number of minutes within which its next send is expected (null: no
 * expectation), and the last day on which it is valid, as YYYY-MM-DD in the company's time zone
 * (null: it never expires).
 */
export type KeySettings = {
  name: string;
  note: string | null;
  mustConfirm: boolean;
  expectedEveryMinutes: number | null;
  expiresOn: string | null;
};

type Edited = 'edited' | 'no-such-key' | 'duplicate-name' | 'day-is-past' | 'prove-again';

/**
 * Changes the given settings of an active key, also of an expired one. A changed expectation counts
 * from now on. Writes nothing when nothing changes. Returns `'no-such-key'` for a key that is revoked
 * or belongs to another company, `'day-is-past'` for a last day before today, and `'prove-again'`
 * where the last day changes and `proved` is false, because that gives or takes access.
 */
export async function editKey(
  owner: Owner,
  id: number,
  settings: Partial<KeySettings>,
  { proved = true }: { proved?: boolean } = {},
): Promise<Edited> {
  return catchDuplicateName(() =>
    inTransaction(async (tx) => {
      const before = await lockSettings(tx, owner, id);
      if (!before) return 'no-such-key';
      const { today, ...was } = before;
      const after = { ...was, ...settings };
      const changed = findChanges(was, after);
      if (!changed) return 'edited';
      if (changed.changes.expiresOn && changed.changes.expiresOn < today) return 'day-is-past';
      if ('expiresOn' in changed.changes && !proved) return 'prove-again';
      await writeSettings(tx, owner, id, after);
      await recordAudit(tx, owner, 'key.edit', { keyId: id, name: was.name, ...changed });
      return 'edited';
    }),
  );
}

async function lockSettings(tx: Transaction, { companyId, timeZone }: Owner, id: number) {
  const [before] = await tx<(KeySettings & { today: string })[]>`
    select k.name, k.note, k.must_confirm as "mustConfirm", k.expected_every_minutes as "expectedEveryMinutes",
      ${lastValidDay(timeZone)} as "expiresOn", (now() at time zone ${timeZone}::text)::date::text as today
    from api_keys k where k.company_id = ${companyId} and k.id = ${id} and k.revoked_at is null for no key update`;
  return before;
}

async function writeSettings(tx: Transaction, { companyId, timeZone }: Owner, id: number, after: KeySettings) {
  const { name, note, mustConfirm, expectedEveryMinutes, expiresOn } = after;
  await tx`
    update api_keys k set name = ${name}, note = ${note}, must_confirm = ${mustConfirm},
      expected_every_minutes = ${expectedEveryMinutes},
      expected_since = case
        when expected_every_minutes is not distinct from ${expectedEveryMinutes}::int then expected_since
        when ${expectedEveryMinutes}::int is not null then now() end,
      silence_check_at = case
        when expected_every_minutes is not distinct from ${expectedEveryMinutes}::int then silence_check_at end,
      expires_at = case
        when ${lastValidDay(timeZone)} is not distinct from ${expiresOn}::text then expires_at
        else (${expiresOn}::text::date + 1)::timestamp at time zone ${timeZone}::text end
    where company_id = ${companyId} and id = ${id}`;
}
