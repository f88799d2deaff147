import { type Fragment, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import type { Kind } from '#server/notifications/kinds.ts';

/** The picture of a manual send: the draft's id, which is in its address, and its size in pixels. */
export type Picture = Pick<Rows['notificationPictures'], 'draftId' | 'width' | 'height'>;

/**
 * What inboxes, open portals and devices show of a notification. `no` grows with time within the
 * company. `sender` is the name of the key, or with `isManual` of the person. `remindsNo`: it
 * reminds of that notification. `correctedBy` is who replaced its text, if that is not its sender. A reminder has
 * the picture of its original.
 */
export type ShownNotification = Pick<
  Rows['notifications'],
  'no' | 'title' | 'body' | 'url' | 'createdAt' | 'remindsNo' | 'correctedAt'
> & { kind: Kind; sender: string; isManual: boolean; correctedBy: string | null; picture: Picture | null };

/** The columns of a `ShownNotification` except `no`, over `notifications n` and `joinSender`. */
export const shownColumns = (): Fragment => sql()`
  n.title, n.body, n.kind, n.url, n.created_at as "createdAt", n.reminds_no as "remindsNo",
  n.corrected_at as "correctedAt", ${senderColumns()}, (
    select name from accounts where company_id = n.company_id and id = n.corrected_by and id <> n.account_id
  ) as "correctedBy", case when n.draft_id is not null or n.reminds_no is not null then (
    select jsonb_build_object('draftId', draft_id, 'width', width, 'height', height) from notification_pictures
    where company_id = n.company_id and draft_id = coalesce((
      select draft_id from notifications where company_id = n.company_id and no = n.reminds_no
    ), n.draft_id)
  ) end as picture`;

/**
 * Joins the sender of `notifications n`: an API key or a person. `companyId` is the SQL expression
 * of the company's id. `senderColumns` reads them.
 */
export const joinSender = (companyId: Fragment = sql()`n.company_id`): Fragment => sql()`
  left join api_keys sender_key on sender_key.company_id = ${companyId} and sender_key.id = n.key_id
  left join accounts sender_account on sender_account.company_id = ${companyId} and sender_account.id = n.account_id`;

/** The columns `sender` (the name of key or person) and `isManual` (whether it is a person). */
export const senderColumns = (): Fragment => sql()`
  coalesce(sender_key.name, sender_account.name) as sender, n.account_id is not null as "isManual"`;
