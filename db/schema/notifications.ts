import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { companyId, createdAt, timestampTz } from '#db/schema/columns.ts';
import { employees } from '#db/schema/employees.ts';
import { apiKeys } from '#db/schema/keys.ts';

/**
 * One row for each send. A broadcast has a null `recipientId`; the employment periods decide who
 * sees it. A send to roles or to several people has `severalRecipients` there, which is no
 * employee's id. Its recipients are in `notificationRoles` or `notificationPeople`; `skipped` more
 * were inactive. A reminder has `remindsNo`. It is for the employees who had not confirmed that
 * notification when the reminder was sent. `draftId` makes a manual send happen once. A withdrawal
 * and the last correction of title, text and link take a number of the company too: `withdrawnNo`
 * and `correctedNo`. So "changed after N" can be queried.
 */
export const notifications = pgTable(
  'notifications',
  {
    companyId: companyId(),
    no: bigint({ mode: 'number' }).notNull(),
    recipientId: integer(),
    title: varchar({ length: 120 }).notNull(),
    body: varchar({ length: 255 }).notNull(),
    kind: text().notNull(),
    url: varchar({ length: 2048 }),
    reach: integer().notNull(),
    keyId: integer(),
    accountId: integer(),
    draftId: uuid(),
    mustConfirm: boolean().notNull().default(false),
    remindsNo: bigint({ mode: 'number' }),
    withdrawnAt: timestampTz(),
    withdrawnNo: bigint({ mode: 'number' }),
    skipped: integer(),
    correctedAt: timestampTz(),
    correctedNo: bigint({ mode: 'number' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.no] }),
    index('notifications_withdrawn')
      .on(table.companyId, table.withdrawnNo)
      .where(sql`${table.withdrawnNo} is not null`),
    index('notifications_corrected')
      .on(table.companyId, table.correctedNo)
      .where(sql`${table.correctedNo} is not null`),
    index('notifications_must_confirm')
      .on(table.companyId, table.recipientId, table.no, table.reach, table.withdrawnAt)
      .where(sql`${table.mustConfirm}`),
    uniqueIndex('notifications_draft').on(table.companyId, table.draftId).where(sql`${table.draftId} is not null`),
    index('notifications_key').on(table.companyId, table.keyId, table.no).where(sql`${table.keyId} is not null`),
    index('notifications_reminders').on(table.companyId, table.remindsNo).where(sql`${table.remindsNo} is not null`),
    foreignKey({ columns: [table.companyId, table.remindsNo], foreignColumns: [table.companyId, table.no] }),
    // Both cover all columns that unread counts and inbox searches read, so that these are
    // index-only scans (docs/decisions/0099).
    index('notifications_broadcast')
      .on(
        table.companyId,
        table.no,
        table.reach,
        table.withdrawnAt,
        table.remindsNo,
        table.title,
        table.body,
        table.kind,
        table.keyId,
        table.accountId,
      )
      .where(sql`${table.recipientId} is null`),
    index('notifications_direct')
      .on(
        table.companyId,
        table.recipientId,
        table.no,
        table.reach,
        table.withdrawnAt,
        table.title,
        table.body,
        table.kind,
        table.keyId,
        table.accountId,
      )
      .where(sql`${table.recipientId} is not null`),
    check('notifications_kind', sql`${table.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('notifications_one_sender', sql`num_nonnulls(${table.keyId}, ${table.accountId}) = 1`),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** The roles that a send is for: employees who had one of them when it was sent. */
export const notificationRoles = pgTable(
  'notification_roles',
  {
    companyId: companyId(),
    no: bigint({ mode: 'number' }).notNull(),
    role: varchar({ length: 60 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.no, table.role] }),
    index('notification_roles_role').on(table.companyId, table.role, table.no),
    foreignKey({ columns: [table.companyId, table.no], foreignColumns: [notifications.companyId, notifications.no] }),
  ],
);

/**
 * The recipients of a send to chosen people, and of a reminder of a send to several. A whole role
 * may be inserted under the company's lock, so the table has one foreign key only: more would
 * triple the time. The inserting statement takes the ids from the company's employees.
 */
export const notificationPeople = pgTable(
  'notification_people',
  {
    companyId: integer().notNull(),
    no: bigint({ mode: 'number' }).notNull(),
    employeeId: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.no, table.employeeId] }),
    index('notification_people_employee').on(table.companyId, table.employeeId, table.no),
    foreignKey({ columns: [table.companyId, table.no], foreignColumns: [notifications.companyId, notifications.no] }),
  ],
);

/**
 * What an employee did with a notification; without an action there is no row. A notification is
 * read when it has a `readAt` or its number is at most `employees.readUpTo`, unless it has an
 * `unreadAt`. The inbox omits it after `archivedAt`, unless it has an `unreadAt`, and until
 * `snoozedUntil`. After `snoozedUntil` it is unread until the person reads it. At `snoozePushAt`
 * their devices get it; null when no push is due.
 */
export const receipts = pgTable(
  'receipts',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    no: bigint({ mode: 'number' }).notNull(),
    shownAt: timestampTz(),
    readAt: timestampTz(),
    unreadAt: timestampTz(),
    confirmedAt: timestampTz(),
    archivedAt: timestampTz(),
    snoozedUntil: timestampTz(),
    snoozePushAt: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.no] }),
    index('receipts_notification').on(table.companyId, table.no, table.employeeId),
    index('receipts_marked_unread')
      .on(table.companyId, table.employeeId, table.no)
      .where(sql`${table.unreadAt} is not null`),
    index('receipts_read')
      .on(table.companyId, table.employeeId, table.no)
      .where(sql`${table.readAt} is not null and ${table.unreadAt} is null`),
    index('receipts_archived')
      .on(table.companyId, table.employeeId, table.no)
      .where(sql`${table.archivedAt} is not null and ${table.unreadAt} is null`),
    index('receipts_snoozed')
      .on(table.companyId, table.employeeId, table.snoozedUntil, table.no)
      .where(sql`${table.snoozedUntil} is not null`),
    index('receipts_snooze_push').on(table.snoozePushAt).where(sql`${table.snoozePushAt} is not null`),
    index('receipts_confirmed')
      .on(table.companyId, table.employeeId, table.no)
      .where(sql`${table.confirmedAt} is not null`),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [table.companyId, table.no], foreignColumns: [notifications.companyId, notifications.no] }),
  ],
);

/** When an employee marked all up to a number as read; for notifications without a receipt. */
export const readMarks = pgTable(
  'read_marks',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    upTo: bigint({ mode: 'number' }).notNull(),
    at: timestampTz().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.upTo] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);
