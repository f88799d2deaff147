import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, numbered, timestampTz } from '#db/schema/companies.ts';
import { employees } from '#db/schema/employees.ts';
import { apiKeys } from '#db/schema/keys.ts';

/**
 * One row for each send. With a `recipientId` it is for that employee. With `isListed` it is for the
 * people in `notificationPeople`: chosen ones, or those who had one of the roles `toRoles` when it
 * was sent; `skipped` more were inactive. Otherwise it is for everyone, and the employment periods
 * say who was active. A reminder has `remindsNo`. It is for the employees who had not confirmed that
 * notification when the reminder was sent. `draftId` makes a manual send happen once. A withdrawal
 * and the last correction of title, text and link take a number of the company too: `withdrawalNo`
 * and `correctionNo`. So "changed after N" can be queried.
 */
export const notifications = pgTable(
  'notifications',
  (t) => ({
    companyId: companyId(),
    no: t.bigint({ mode: 'number' }).notNull(),
    recipientId: t.integer(),
    isListed: t.boolean().notNull().default(false),
    toRoles: t.varchar({ length: 60 }).array(),
    title: t.varchar({ length: 120 }).notNull(),
    body: t.varchar({ length: 255 }).notNull(),
    kind: t.text().notNull(),
    url: t.varchar({ length: 2048 }),
    reach: t.integer().notNull(),
    keyId: t.integer(),
    accountId: t.integer(),
    draftId: t.uuid(),
    mustConfirm: t.boolean().notNull().default(false),
    remindsNo: t.bigint({ mode: 'number' }),
    withdrawnAt: timestampTz(),
    withdrawalNo: t.bigint({ mode: 'number' }),
    skipped: t.integer(),
    correctedAt: timestampTz(),
    correctionNo: t.bigint({ mode: 'number' }),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.no] }),
    index('notifications_withdrawn').on(t.companyId, t.withdrawalNo).where(sql`${t.withdrawalNo} is not null`),
    index('notifications_corrected').on(t.companyId, t.correctionNo).where(sql`${t.correctionNo} is not null`),
    index('notifications_must_confirm')
      .on(t.companyId, t.recipientId, t.no, t.isListed, t.reach, t.withdrawnAt)
      .where(sql`${t.mustConfirm}`),
    uniqueIndex('notifications_draft').on(t.companyId, t.draftId).where(sql`${t.draftId} is not null`),
    index('notifications_key').on(t.companyId, t.keyId, t.no).where(sql`${t.keyId} is not null`),
    index('notifications_reminders').on(t.companyId, t.remindsNo).where(sql`${t.remindsNo} is not null`),
    foreignKey({ columns: [t.companyId, t.remindsNo], foreignColumns: [t.companyId, t.no] }),
    // A send is in one of the three. They have all columns that unread counts and inbox searches
    // read, so that these are index-only scans (docs/decisions/0099).
    index('notifications_broadcast')
      .on(t.companyId, t.no, t.reach, t.withdrawnAt, t.remindsNo, t.title, t.body, t.kind, t.keyId, t.accountId)
      .where(sql`${t.recipientId} is null and not ${t.isListed}`),
    index('notifications_listed')
      .on(t.companyId, t.no, t.reach, t.withdrawnAt, t.title, t.body, t.kind, t.keyId, t.accountId)
      .where(sql`${t.isListed}`),
    index('notifications_direct')
      .on(t.companyId, t.recipientId, t.no, t.reach, t.withdrawnAt, t.title, t.body, t.kind, t.keyId, t.accountId)
      .where(sql`${t.recipientId} is not null`),
    check('notifications_kind', sql`${t.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('notifications_one_sender', sql`num_nonnulls(${t.keyId}, ${t.accountId}) = 1`),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * The picture of a manual send, as a JPEG that this service wrote itself. `draftId` is that of its
 * row in `notifications` or, until it leaves, in `plannedSends`. It is stored before both. Without
 * either it is deleted after a day.
 */
export const notificationPictures = pgTable(
  'notification_pictures',
  (t) => ({
    companyId: companyId(),
    draftId: t.uuid().notNull(),
    jpeg: bytea().notNull(),
    width: t.integer().notNull(),
    height: t.integer().notNull(),
    createdAt: createdAt(),
  }),
  (t) => [primaryKey({ columns: [t.companyId, t.draftId] })],
);

/**
 * The recipients of a send with `isListed`. A whole role is inserted under the company's lock, so
 * the table has one foreign key only: more would triple the time. The inserting statement takes the
 * ids from the company's employees.
 */
export const notificationPeople = pgTable(
  'notification_people',
  (t) => ({
    companyId: t.integer().notNull(),
    no: t.bigint({ mode: 'number' }).notNull(),
    employeeId: t.integer().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.no, t.employeeId] }),
    index('notification_people_employee').on(t.companyId, t.employeeId, t.no),
    foreignKey({ columns: [t.companyId, t.no], foreignColumns: [notifications.companyId, notifications.no] }),
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
  (t) => ({
    companyId: companyId(),
    employeeId: t.integer().notNull(),
    no: t.bigint({ mode: 'number' }).notNull(),
    shownAt: timestampTz(),
    readAt: timestampTz(),
    unreadAt: timestampTz(),
    confirmedAt: timestampTz(),
    archivedAt: timestampTz(),
    snoozedUntil: timestampTz(),
    snoozePushAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.employeeId, t.no] }),
    index('receipts_notification').on(t.companyId, t.no, t.employeeId),
    index('receipts_marked_unread').on(t.companyId, t.employeeId, t.no).where(sql`${t.unreadAt} is not null`),
    index('receipts_read')
      .on(t.companyId, t.employeeId, t.no)
      .where(sql`${t.readAt} is not null and ${t.unreadAt} is null`),
    index('receipts_archived')
      .on(t.companyId, t.employeeId, t.no)
      .where(sql`${t.archivedAt} is not null and ${t.unreadAt} is null`),
    index('receipts_snoozed')
      .on(t.companyId, t.employeeId, t.snoozedUntil, t.no)
      .where(sql`${t.snoozedUntil} is not null`),
    index('receipts_snooze_push').on(t.snoozePushAt).where(sql`${t.snoozePushAt} is not null`),
    index('receipts_confirmed').on(t.companyId, t.employeeId, t.no).where(sql`${t.confirmedAt} is not null`),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [t.companyId, t.no], foreignColumns: [notifications.companyId, notifications.no] }),
  ],
);

/** When an employee marked all up to a number as read; for notifications without a receipt. */
export const readMarks = pgTable(
  'read_marks',
  (t) => ({
    companyId: companyId(),
    employeeId: t.integer().notNull(),
    upTo: t.bigint({ mode: 'number' }).notNull(),
    at: timestampTz().notNull().defaultNow(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.employeeId, t.upTo] }),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
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
  (t) => ({
    ...numbered(),
    accountId: t.integer().notNull(),
    ...draft(),
    every: t.text().notNull(),
    weekdays: t.integer().array(),
    monthDay: t.integer(),
    minute: t.integer().notNull(),
    timeZone: t.text().notNull(),
    startsOn: t.date().notNull(),
    endsOn: t.date(),
    createdAt: createdAt(),
    endedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('send_rules_running').on(t.companyId).where(sql`${t.endedAt} is null`),
    check('send_rules_kind', sql`${t.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('send_rules_recipients', sql`num_nonnulls(${t.recipientId}, ${t.toRoles}, ${t.toPeople}) <= 1`),
    check('send_rules_every', sql`${t.every} in ('day', 'week', 'month')`),
    check('send_rules_minute', sql`${t.minute} between 0 and 1439`),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.recipientId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * A manual send that has not left yet. At `leavesAt` any process sends it and deletes this row in
 * one transaction. `draftId` becomes the notification's. With `isPlanned` a person chose the time;
 * otherwise it waits only so that it can be undone. With `undoneAt` it never leaves. The row stays
 * for a day, so that a late second submit of the draft sends nothing. With `missedAt` it could not
 * be sent, or not within an hour of its time, and a person decides. `ruleId` is the rule that made
 * it. `missedBefore` counts earlier missed sends of the rule that are not listed. With `remindsNo` it
 * is a reminder of that notification. Who has not confirmed is found when it leaves, so it names
 * nobody: the version before, which does not know reminders here, sends it to nobody.
 */
export const plannedSends = pgTable(
  'planned_sends',
  (t) => ({
    companyId: companyId(),
    draftId: t.uuid().notNull(),
    accountId: t.integer().notNull(),
    ...draft(),
    isPlanned: t.boolean().notNull(),
    ruleId: t.integer(),
    createdAt: createdAt(),
    leavesAt: timestampTz().notNull(),
    undoneAt: timestampTz(),
    missedAt: timestampTz(),
    missedBefore: t.integer().notNull().default(0),
    remindsNo: t.bigint({ mode: 'number' }),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.draftId] }),
    index('planned_sends_due').on(t.leavesAt).where(sql`${t.undoneAt} is null and ${t.missedAt} is null`),
    index('planned_sends_list').on(t.companyId, t.leavesAt).where(sql`${t.isPlanned} and ${t.undoneAt} is null`),
    uniqueIndex('planned_sends_rule')
      .on(t.companyId, t.ruleId)
      .where(sql`${t.ruleId} is not null and ${t.undoneAt} is null and ${t.missedAt} is null`),
    check('planned_sends_kind', sql`${t.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('planned_sends_recipients', sql`num_nonnulls(${t.recipientId}, ${t.toRoles}, ${t.toPeople}) <= 1`),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.recipientId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [t.companyId, t.ruleId], foreignColumns: [sendRules.companyId, sendRules.id] }),
  ],
);

/** A text, with its recipients, that a company keeps under a name to send it again. */
export const sendTemplates = pgTable(
  'send_templates',
  (t) => ({
    ...numbered(),
    name: t.varchar({ length: 60 }).notNull(),
    ...draft(),
    createdBy: t.integer().notNull(),
    createdAt: createdAt(),
    changedAt: timestampTz().notNull().defaultNow(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('send_templates_name').on(t.companyId, sql`lower(${t.name})`),
    check('send_templates_kind', sql`${t.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('send_templates_recipients', sql`num_nonnulls(${t.recipientId}, ${t.toRoles}, ${t.toPeople}) <= 1`),
    foreignKey({ columns: [t.companyId, t.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.recipientId], foreignColumns: [employees.companyId, employees.id] }),
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
  (t) => ({
    companyId: companyId(),
    day: t.date().notNull(),
    keyId: t.integer().notNull(),
    sends: t.integer().notNull(),
    reach: t.bigint({ mode: 'number' }).notNull(),
    readWithinHour: t.bigint({ mode: 'number' }).notNull(),
    toConfirm: t.bigint({ mode: 'number' }).notNull(),
    confirmed: t.bigint({ mode: 'number' }).notNull(),
    countedAt: timestampTz().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.companyId, t.day, t.keyId] })],
);
