import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';

/**
 * A company is the tenant. The lock on its row orders all changes of a company. Every send raises
 * `lastNo`, and every activation or deactivation of an employee changes `activeEmployees` in the
 * same row: numbers become visible in order, and the reach of a broadcast is exact. Every change
 * that ends a session raises `accessNo`, so that a process knows when to check its cached sessions
 * again. `mustConfirmKinds` are the kinds of notifications that employees must confirm. A null in
 * `keepNotificationsDays` means for ever. At `guessingPushedAt` the owners' devices last got the alarm
 * that someone guesses passwords.
 */
export const companies = pgTable('companies', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: varchar({ length: 120 }).notNull(),
  timeZone: text().notNull().default('Asia/Jakarta'),
  lastNo: bigint({ mode: 'number' }).notNull().default(0),
  activeEmployees: integer().notNull().default(0),
  accessNo: bigint({ mode: 'number' }).notNull().default(0),
  mustConfirmKinds: text().array().notNull().default(sql`'{}'`),
  keepNotificationsDays: integer(),
  keepRefusalsDays: integer().notNull().default(30),
  warnOfRepeats: boolean().notNull().default(true),
  warnOfSilence: boolean().notNull().default(true),
  guessingPushedAt: timestamp({ withTimezone: true }),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
