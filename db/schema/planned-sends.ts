import { sql } from 'drizzle-orm';
import {
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
import { companyId, createdAt, timestampTz } from '#db/schema/columns.ts';
import { employees } from '#db/schema/employees.ts';

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
