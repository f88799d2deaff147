import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
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
import { companyId, createdAt, timestampTz } from '#db/schema/companies.ts';
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

// The text and the recipients. At most one of the first three is set; none means everyone.
const draft = () => ({
  recipientId: integer(),
  toRoles: varchar({ length: 60 }).array(),
  toPeople: integer().array(),
  title: varchar({ length: 120 }).notNull(),
  body: varchar({ length: 255 }).notNull(),
  kind: text().notNull(),
  url: varchar({ length: 2048 }),
  mustConfirm: boolean().notNull(),
});

/**
 * A rule that makes planned sends: at `minute` of the day in `timeZone`, each day, on the
 * `weekdays` (1: Monday, 7: Sunday), or on the `monthDay` (31: the last day) of each month, from
 * `startsOn` on. It has one waiting send at a time. After `endsOn`, or with an `endedAt`, it makes
 * none.
 */
export const sendRules = pgTable(
  'send_rules',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    accountId: integer().notNull(),
    ...draft(),
    every: text().notNull(),
    weekdays: integer().array(),
    monthDay: integer(),
    minute: integer().notNull(),
    timeZone: text().notNull(),
    startsOn: date().notNull(),
    endsOn: date(),
    createdAt: createdAt(),
    endedAt: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('send_rules_running').on(table.companyId).where(sql`${table.endedAt} is null`),
    check('send_rules_kind', sql`${table.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('send_rules_recipients', sql`num_nonnulls(${table.recipientId}, ${table.toRoles}, ${table.toPeople}) <= 1`),
    check('send_rules_every', sql`${table.every} in ('day', 'week', 'month')`),
    check('send_rules_minute', sql`${table.minute} between 0 and 1439`),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.recipientId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * A manual send that has not left yet. At `leavesAt` any process sends it and deletes this row in
 * one transaction. `draftId` becomes the notification's. With `isPlanned` a person chose the time;
 * otherwise it waits only so that it can be undone. With `undoneAt` it never leaves. The row stays
 * for a day, so that a late second submit of the draft sends nothing. With `missedAt` it could not
 * be sent, or not within an hour of its time, and a person decides. `ruleId` is the rule that made
 * it. `missedBefore` counts earlier missed sends of the rule that are not listed.
 */
export const plannedSends = pgTable(
  'planned_sends',
  {
    companyId: companyId(),
    draftId: uuid().notNull(),
    accountId: integer().notNull(),
    ...draft(),
    isPlanned: boolean().notNull(),
    ruleId: integer(),
    createdAt: createdAt(),
    leavesAt: timestampTz().notNull(),
    undoneAt: timestampTz(),
    missedAt: timestampTz(),
    missedBefore: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.draftId] }),
    index('planned_sends_due').on(table.leavesAt).where(sql`${table.undoneAt} is null and ${table.missedAt} is null`),
    index('planned_sends_list')
      .on(table.companyId, table.leavesAt)
      .where(sql`${table.isPlanned} and ${table.undoneAt} is null`),
    uniqueIndex('planned_sends_rule')
      .on(table.companyId, table.ruleId)
      .where(sql`${table.ruleId} is not null and ${table.undoneAt} is null and ${table.missedAt} is null`),
    check('planned_sends_kind', sql`${table.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check(
      'planned_sends_recipients',
      sql`num_nonnulls(${table.recipientId}, ${table.toRoles}, ${table.toPeople}) <= 1`,
    ),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.recipientId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [table.companyId, table.ruleId], foreignColumns: [sendRules.companyId, sendRules.id] }),
  ],
);

/** A text, with its recipients, that a company keeps under a name to send it again. */
export const sendTemplates = pgTable(
  'send_templates',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    name: varchar({ length: 60 }).notNull(),
    ...draft(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    changedAt: timestampTz().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('send_templates_name').on(table.companyId, sql`lower(${table.name})`),
    check('send_templates_kind', sql`${table.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check(
      'send_templates_recipients',
      sql`num_nonnulls(${table.recipientId}, ${table.toRoles}, ${table.toPeople}) <= 1`,
    ),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.recipientId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * What became of the sends of one day (of the company's time zone) and one key; `keyId` 0 means
 * manual sends. `reach`: people reached. `readWithinHour`: of those, who read within an hour.
 * `toConfirm`: reached by sends that must be confirmed, and `confirmed` of those did. The row stays
 * when the sends are deleted.
 */
export const sendStatistics = pgTable(
  'send_statistics',
  {
    companyId: companyId(),
    day: date().notNull(),
    keyId: integer().notNull(),
    sends: integer().notNull(),
    reach: bigint({ mode: 'number' }).notNull(),
    readWithinHour: bigint({ mode: 'number' }).notNull(),
    toConfirm: bigint({ mode: 'number' }).notNull(),
    confirmed: bigint({ mode: 'number' }).notNull(),
    countedAt: timestampTz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.day, table.keyId] })],
);
