import { byId, type Rows } from '#db/client.ts';
import { alias, type Column, type GetColumnData, type SQL, sql } from '#db/drizzle.cjs';
import { accounts, apiKeys } from '#db/schema/tables.ts';
import { n } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';

/** The picture of a manual send: the draft's id, which is in its address, and its size in pixels. */
export type Picture = Pick<Rows['notificationPictures'], 'draftId' | 'width' | 'height'>;

/**
 * What inboxes, portals and devices show of a notification. `sender`: the key, or with `isManual` the person.
 * `correctedBy`: who replaced its text, if not its sender. A reminder has the picture and answers of its original.
 */
export type ShownNotification = RowOf<typeof shownFields> & { no: number };

export const senderKey = alias(apiKeys, 'sender_key');
export const senderAccount = alias(accounts, 'sender_account');

/** Conditions of `left join`: the key or the person of `notifications n`. */
export const isSenderKey = byId(senderKey, n, n.keyId);
export const isSenderAccount = byId(senderAccount, n, n.accountId);

/** The name of key or person, and whether it is a person. */
export const senderFields = {
  sender: sql<string>`coalesce(${senderKey.name}, ${senderAccount.name})`,
  isManual: sql<boolean>`${n.accountId} is not null`,
};

export const textFields = { title: n.title, body: n.body, kind: sql<Kind>`${n.kind}`, url: n.url };

/** The fields of a `ShownNotification` except `no`, over `notifications n` and its sender. */
export const shownFields = {
  ...textFields,
  answers: n.answers,
  createdAt: n.createdAt,
  remindsNo: n.remindsNo,
  correctedAt: n.correctedAt,
  ...senderFields,
  correctedBy: sql<string | null>`(
    select name from accounts where company_id = ${n.companyId} and id = ${n.correctedBy} and id <> ${n.accountId})`,
  picture: sql<Picture | null>`case when ${n.draftId} is not null or ${n.remindsNo} is not null then (
    select jsonb_build_object('draftId', draft_id, 'width', width, 'height', height) from notification_pictures
    where company_id = ${n.companyId} and draft_id = coalesce((
      select draft_id from notifications where company_id = ${n.companyId} and no = ${n.remindsNo}
    ), ${n.draftId})) end`,
};

export type RowOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends SQL<infer Value>
    ? Value
    : Fields[Name] extends Column
      ? GetColumnData<Fields[Name]>
      : never;
};

/** Fields as the columns of a statement that is a text. */
export const asColumns = (fields: Record<string, Column | SQL>): SQL =>
  sql.join(
    Object.entries(fields).map(([name, field]) => sql`${field} as ${sql.identifier(name)}`),
    sql`, `,
  );
