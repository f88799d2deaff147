import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';

/**
 * A company is the tenant. The lock on its row orders all changes of a company. Every send
 * increases `lastNo`, and every activation or deactivation of an employee changes `activeEmployees`
 * in the same row: numbers become visible in order, and the reach of a broadcast is exact. Every
 * change that ends a session increases `accessNo`, so that each process knows when to check its
 * cached sessions. `mustConfirmKinds` are the kinds of notifications that employees must confirm.
 * Without `keepNotificationsDays` notifications are kept for ever. `guessingPushedAt` is the last
 * push of the alarm about guessed passwords.
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
