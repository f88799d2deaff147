import { db, findRow, matches } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { notifications } from '#db/schema/tables.ts';
import type { Manager } from '#server/principals.ts';
import { isQueued, type ManualDraft } from '#server/sends/drafts.ts';
import { attachPicture } from '#server/sends/pictures/pictures.ts';
import { afterSend, type StoredSend, storeByPerson } from '#server/sends/store.ts';

/** A manual send. `skipped`: how many more were inactive; null for a send to everyone or to one person. */
type SentManually = Pick<Rows['notifications'], 'no' | 'reach' | 'skipped'>;

/**
 * Sends a notification. A second submit of the `draftId` sends nothing and returns the first result.
 * `'not-in-company'`: no such recipient, not all of the chosen people, or nobody with one of the roles. `'waits'`: the
 * draft is a plan or was undone.
 */
export async function sendManually(
  manager: Manager,
  draft: ManualDraft,
): Promise<SentManually | 'not-in-company' | 'waits'> {
  const result = await withManager(manager, async (tx) =>
    (await isQueued(tx, manager, draft.draftId)) ? 'waits' : insertManualSend(tx, manager, draft),
  );
  if (typeof result === 'string') return result;
  if ('hasDevices' in result) afterSend(manager, draft.recipients, result);
  return { no: result.no, reach: result.reach, skipped: result.skipped };
}

/**
 * Stores a manual send in a transaction that holds the company's row. A result without `hasDevices` is of an earlier
 * send of the draft; otherwise call `afterSend` after the commit.
 */
export async function insertManualSend(
  tx: PersonTransaction,
  manager: Manager,
  draft: ManualDraft,
): Promise<StoredSend | SentManually | 'not-in-company'> {
  const { companyId } = manager;
  const stored = await storeByPerson(tx, manager, draft);
  if (stored && draft.picture) await attachPicture(tx, manager, draft.draftId, draft.picture);
  if (stored) return stored;
  const earlier = await findRow(
    db(tx)
      .select({ no: notifications.no, reach: notifications.reach, skipped: notifications.skipped })
      .from(notifications)
      .where(matches(notifications, { companyId, draftId: draft.draftId })),
  );
  return earlier ?? 'not-in-company';
}
