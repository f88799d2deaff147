import { db, hasRows, matches } from '#db/client.ts';
import type { PersonTransaction } from '#db/person-transaction.ts';
import { notifications, plannedSends } from '#db/schema/tables.ts';
import type { Manager } from '#server/principals.ts';

/** Whether a draft was sent. In a transaction that holds the company's row, it stays as it is until the commit. */
export const isSent = (tx: PersonTransaction, { companyId }: Manager, draftId: string): Promise<boolean> =>
  hasRows(
    db(tx).select({ no: notifications.no }).from(notifications).where(matches(notifications, { companyId, draftId })),
  );

/** Whether a draft waits to leave, was undone or was missed, as `isSent`. */
export const isQueued = (tx: PersonTransaction, { companyId }: Manager, draftId: string): Promise<boolean> =>
  hasRows(
    db(tx)
      .select({ draftId: plannedSends.draftId })
      .from(plannedSends)
      .where(matches(plannedSends, { companyId, draftId })),
  );
