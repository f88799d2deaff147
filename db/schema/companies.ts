import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';

/** A column of raw bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A time with time zone; PostgreSQL stores it in UTC. */
export const timestampTz = () => timestamp({ withTimezone: true });

/** The time at which the row was inserted. */
export const createdAt = () => timestampTz().notNull().defaultNow();

/** The company of a row: the first column of every table's primary key. */
export const companyId = () =>
  integer()
    .notNull()
    .references(() => companies.id);

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
  guessingPushedAt: timestampTz(),
  createdAt: createdAt(),
});

/**
 * The logo of a company, as a PNG that this service wrote itself. `version` is the beginning of the
 * file's SHA-256. It is part of the address, so browsers may cache the logo for ever.
 */
export const companyLogos = pgTable('company_logos', {
  companyId: companyId().primaryKey(),
  version: text().notNull(),
  png: bytea().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: createdAt(),
});

/**
 * The scripts, styles and pictures of each build that a machine served lately. A machine with
 * another version finds them here, so that the pages of all versions load while machines are
 * updated. `signature` is an HMAC with AUTH_SECRET: rows without a valid one are not served.
 */
export const buildFiles = pgTable(
  'build_files',
  {
    build: text().notNull(),
    path: text().notNull(),
    isGzip: boolean().notNull(),
    content: bytea().notNull(),
    signature: bytea().notNull(),
    seenAt: timestampTz().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.build, table.path] })],
);

/**
 * When each hourly job last ended, and who runs it now. All machines share these rows, so that a
 * job runs once an hour in the whole deployment. `runner` is a process; it renews `leaseUntil`
 * while it works. After `leaseUntil` another process may take the job.
 */
export const hourlyJobs = pgTable('hourly_jobs', {
  name: text().primaryKey(),
  runner: uuid(),
  leaseUntil: timestampTz(),
  endedAt: timestampTz().notNull(),
});
