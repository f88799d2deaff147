import { db, deleteRows, findRow, hasRows, matches, type Transaction } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/company-row.ts';
import { and, eq, sql } from '#db/drizzle.cjs';
import { notificationPictures } from '#db/schema/tables.ts';
import { redraw } from '#platform/redraw.ts';
import { isOriginal, isReceivedBy, n, original, stillCounts } from '#server/notifications/audience.ts';
import type { Picture } from '#server/notifications/shown.ts';
import type { Employee, Manager } from '#server/principals.ts';
import { isQueued, isSent } from '#server/sends/drafts.ts';

/** The addresses of pictures begin with it; the draft's id follows. They take a new one by POST. */
export const picturePath = '/picture/';

export const maxPictureBytes = 300 * 1024;

/** Stores the pixels of a JPEG under a new id, for a draft. `taken`: a picture or a stored draft has it. */
export async function storePicture(
  manager: Manager,
  id: string,
  file: Buffer,
): Promise<'stored' | 'taken' | 'not-a-picture' | 'too-many-pixels'> {
  const { companyId } = manager;
  const photo = await redraw(file, 'jpeg', 1600);
  if (typeof photo === 'string') return photo;
  return withManager(manager, async (tx) => {
    if ((await isQueued(tx, manager, id)) || (await isSent(tx, manager, id))) return 'taken';
    const { width, height } = photo;
    const picture = { companyId, draftId: id, jpeg: photo.file, width, height };
    const stored = db(tx).insert(notificationPictures).values(picture).onConflictDoNothing();
    return (await hasRows(stored.returning({ width: notificationPictures.width }))) ? 'stored' : 'taken';
  });
}

/** Gives a draft a stored picture, for example of an earlier message, or none, in the transaction of the draft. */
export async function attachPicture(
  tx: PersonTransaction,
  { companyId }: Manager,
  draftId: string,
  pictureId: string | null,
): Promise<void> {
  if (pictureId === draftId) return;
  await deleteRows(db(tx), notificationPictures, { companyId, draftId });
  // As text: the builder's `insert … select` has to name all columns of the table.
  if (pictureId !== null)
    await db(tx).execute(sql`
      insert into notification_pictures (company_id, draft_id, jpeg, width, height)
      select company_id, ${draftId}::uuid, jpeg, width, height from notification_pictures
      where company_id = ${companyId} and draft_id = ${pictureId}`);
}

/** The picture of a notification or a draft, or of a reminder's original. The caller has checked who sees it. */
export async function findPicture(
  { companyId }: Manager | Employee,
  of: { no: number } | { draftId: string },
): Promise<Picture | null> {
  const { draftId, width, height } = notificationPictures;
  const ofSend = (no: number) => matches(n, { companyId, no });
  const isOf =
    'draftId' in of
      ? eq(draftId, of.draftId)
      : eq(draftId, db().select({ id: original.draftId }).from(n).innerJoin(original, isOriginal).where(ofSend(of.no)));
  const ofCompany = eq(notificationPictures.companyId, companyId);
  return findRow(db().select({ draftId, width, height }).from(notificationPictures).where(and(ofCompany, isOf)));
}

/** The JPEG of a draft for a manager of its company, or an employee in whose inbox the notification is, or null. */
export async function readPicture(reader: Manager | Employee, draftId: string): Promise<Buffer | null> {
  const { companyId: ofPicture, draftId: id, jpeg } = notificationPictures;
  const isInInbox =
    'employeeId' in reader
      ? sql`exists (select from notifications n where ${n.companyId} = ${ofPicture} and ${n.draftId} = ${id}
          and ${stillCounts} and ${isReceivedBy(reader.employeeId)})`
      : undefined;
  const ofDraft = and(eq(notificationPictures.companyId, reader.companyId), eq(id, draftId));
  const query = db().select({ jpeg }).from(notificationPictures).where(and(ofDraft, isInInbox));
  return (await findRow(query))?.jpeg ?? null;
}

export async function deletePictures(tx: Transaction, companyId: number, numbers: number[]): Promise<void> {
  // As text: the builder has no `using`.
  await db(tx).execute(sql`
    delete from notification_pictures p using notifications n
    where p.company_id = ${companyId} and n.company_id = ${companyId} and n.no = any(${sql.param(numbers)}::bigint[])
      and p.draft_id = n.draft_id`);
}
