import { inTransaction } from '#db/client.ts';
import type { Manager } from '#server/principals.ts';
import { insertByHand, type NotInserted } from '#server/sends/insert-by-hand.ts';
import { afterSend, commitSend, type DraftByHand } from '#server/sends/send.ts';

/** A send by hand. `skipped`: so many more recipients were inactive; null when nobody was chosen. */
export type SentByHand = { no: number; reach: number; skipped: number | null };

/**
 * Sends a notification of an owner or manager. A second submit of the same `draftId` sends nothing
 * and returns the first result. Returns `'not-in-company'` when the company has no such recipient,
 * not all of the chosen people, or nobody with one of the roles, and `'revoked'` when the account is
 * no longer an owner's or a manager's.
 */
export async function sendByHand(manager: Manager, draft: DraftByHand): Promise<SentByHand | NotInserted> {
  if (!draft.toRoles && !draft.toPeople) {
    const sent = await commitSend(manager, draft, draft);
    return typeof sent === 'string' ? sent : { ...sent, skipped: null };
  }
  const sent = await inTransaction((tx) => insertByHand(tx, manager, draft));
  if (typeof sent === 'string') return sent;
  const { no, reach, skipped, isEarlier, hasDevices } = sent;
  if (!isEarlier) afterSend(manager, draft, no, reach, hasDevices);
  return { no, reach, skipped };
}
