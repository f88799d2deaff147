import { findRow, sql, type Transaction } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { redraw } from '#platform/redraw.ts';
import { isReceivedBy, stillCounts } from '#server/notifications/audience.ts';
import type { Picture } from '#server/notifications/shown.ts';
import type { Employee, Manager } from '#server/principals.ts';

/** The addresses of pictures begin with it; the draft's id follows. They take a new one by POST. */
export const picturePath = '/picture/';

export const maxPictureBytes = 300 * 1024;

const maxSide = 1600;

/**
 * Stores a JPEG under a new id, which a draft then names as its picture. Only its pixels are kept.
 * `taken`: a picture or a draft has this id. It changes with the draft only, by who changes that.
 * Otherwise the outcome names what is wrong with the file.
 */
export async function storePicture(
  manager: Manager,
  id: string,
  file: Buffer,
): Promise<'stored' | 'taken' | 'not-a-picture' | 'too-many-pixels'> {
  const { companyId } = manager;
  const photo = await redraw(file, 'jpeg', maxSide);
  if (typeof photo === 'string') return photo;
  return asManager(manager, async (tx) => {
    const { count } = await tx`
      insert into notification_pictures (company_id, draft_id, jpeg, width, height)
      select ${companyId}, ${id}::uuid, ${photo.file}, ${photo.width}, ${photo.height}
      where not exists (select from planned_sends where company_id = ${companyId} and draft_id = ${id}::uuid)
        and not exists (select from notifications where company_id = ${companyId} and draft_id = ${id}::uuid)
      on conflict do nothing`;
    return count > 0 ? 'stored' : 'taken';
  });
}

/**
 * Gives a draft the picture that was stored as `pictureId`, for example that of an earlier message,
 * in place of its own; null removes it. Call it in the transaction that stores or changes the draft.
 */
export async function attachPicture(
  tx: PersonTransaction,
  { companyId }: Manager,
  draftId: string,
  pictureId: string | null,
): Promise<void> {
  if (pictureId === draftId) return;
  await tx`delete from notification_pictures where company_id = ${companyId} and draft_id = ${draftId}::uuid`;
  await tx`
    insert into notification_pictures (company_id, draft_id, jpeg, width, height)
    select company_id, ${draftId}::uuid, jpeg, width, height from notification_pictures
    where company_id = ${companyId} and draft_id = ${pictureId}::uuid`;
}

/**
 * The picture of the notification `of.no`, or of the draft `of.draftId`, or null. A reminder has
 * that of its original. The caller has checked that the person may see the notification.
 */
export async function findPicture(
  { companyId }: Manager | Employee,
  of: { no: number } | { draftId: string },
): Promise<Picture | null> {
  const draftId =
    'draftId' in of
      ? sql()`${of.draftId}::uuid`
      : sql()`(
        select o.draft_id from notifications n
        join notifications o on o.company_id = n.company_id and o.no = coalesce(n.reminds_no, n.no)
        where n.company_id = ${companyId} and n.no = ${of.no})`;
  return findRow(sql()<Picture[]>`
    select draft_id as "draftId", width, height from notification_pictures
    where company_id = ${companyId} and draft_id = ${draftId}`);
}

/**
 * The JPEG of a draft for an owner or manager of its company, or for an employee in whose inbox the
 * notification is. Otherwise null.
 */
export async function readPicture(reader: Manager | Employee, draftId: string): Promise<Buffer | null> {
  const { companyId } = reader;
  const received =
    'employeeId' in reader
      ? sql()`and exists (
      select from notifications n where n.company_id = p.company_id and n.draft_id = p.draft_id
        and ${stillCounts()} and ${isReceivedBy(sql()`${reader.employeeId}::int`)})`
      : sql()``;
  const [picture] = await sql()<Pick<Rows['notificationPictures'], 'jpeg'>[]>`
    select p.jpeg from notification_pictures p
    where p.company_id = ${companyId} and p.draft_id = ${draftId}::uuid ${received}`;
  return picture?.jpeg ?? null;
}

export async function deletePictures(tx: Transaction, companyId: number, numbers: number[]): Promise<void> {
  await tx`
    delete from notification_pictures p using notifications n
    where p.company_id = ${companyId} and n.company_id = ${companyId} and n.no = any(${numbers}::bigint[])
      and p.draft_id = n.draft_id`;
}
