import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';

/**
 * A company is the tenant. Its row is the one lock of the service: every send raises `lastNo`, and every
 * change of who is active updates `activeEmployees` in the same row, so numbers become visible in order
 * and the reach of a broadcast is exact. Whatever ends somebody's session raises `accessNo`, so that a process
 * which remembers who asked knows when to look again. `mustConfirmKinds` are the kinds whose notifications people must
 * confirm; null in `keepNotificationsDays` means for ever.
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
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
