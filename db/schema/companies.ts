import { sql } from 'drizzle-orm';
import { customType, index, integer, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A time with time zone; PostgreSQL stores it in UTC. */
export const timestampTz = () => timestamp({ withTimezone: true });

export const createdAt = () => timestampTz().notNull().defaultNow();

/** The company of a row: the first column of every table's primary key. */
export const companyId = () =>
  integer()
    .notNull()
    .references(() => companies.id);

/** The two columns of a table's primary key that numbers its rows. */
export const numbered = () => ({ companyId: companyId(), id: integer().notNull().generatedAlwaysAsIdentity() });

/**
 * A company is the tenant. The lock on its row orders all changes of a company: every send
 * increases `lastNo`, and every change of who is active changes `activeEmployees`. Every change that
 * ends a session increases `accessNo`, which tells processes to check their cached sessions.
 * Without `keepNotificationsDays` notifications are kept for ever. `guessingPushedAt` is the last
 * push of the alarm about guessed passwords.
 *
 * With `onlyIssuer` people sign in with this provider only, except the owner `fallbackAccountId`. From
 * `secondFactorFrom` owners and managers need a second factor. Sessions without activity end after
 * `managersIdleMinutes` (of owners and managers) and `employeesIdleMinutes`. Paths of notifications that
 * are no pages of this service lead to `linkBase`, the address of the company's own portal. Pages of
 * `embedOrigins` may show the bell of the company's people.
 */
export const companies = pgTable(
  'companies',
  (t) => ({
    id: t.integer().primaryKey().generatedAlwaysAsIdentity(),
    name: t.varchar({ length: 120 }).notNull(),
    timeZone: t.text().notNull().default('Asia/Jakarta'),
    lastNo: t.bigint({ mode: 'number' }).notNull().default(0),
    activeEmployees: t.integer().notNull().default(0),
    accessNo: t.bigint({ mode: 'number' }).notNull().default(0),
    mustConfirmKinds: t.text().array().notNull().default(sql`'{}'`),
    keepNotificationsDays: t.integer(),
    keepRefusalsDays: t.integer().notNull().default(30),
    warnOfRepeats: t.boolean().notNull().default(true),
    warnOfSilence: t.boolean().notNull().default(true),
    guessingPushedAt: timestampTz(),
    onlyIssuer: t.text(),
    fallbackAccountId: t.integer(),
    secondFactorFrom: timestampTz(),
    managersIdleMinutes: t.integer(),
    employeesIdleMinutes: t.integer(),
    linkBase: t.text(),
    embedOrigins: t.text().array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
  }),
  (t) => [index('companies_embed_origins').using('gin', t.embedOrigins)],
);

/**
 * The logo of a company, as a PNG that this service wrote itself. `version` is the beginning of the
 * file's SHA-256. It is part of the address, so browsers may cache the logo for ever.
 */
export const companyLogos = pgTable('company_logos', (t) => ({
  companyId: companyId().primaryKey(),
  version: t.text().notNull(),
  png: bytea().notNull(),
  width: t.integer().notNull(),
  height: t.integer().notNull(),
  createdAt: createdAt(),
}));

/**
 * The scripts, styles and pictures of each build that a machine served lately. A machine with
 * another version finds them here, so that the pages of all versions load while machines are
 * updated. `signature` is an HMAC with AUTH_SECRET: rows without a valid one are not served.
 */
export const buildFiles = pgTable(
  'build_files',
  (t) => ({
    build: t.text().notNull(),
    path: t.text().notNull(),
    isGzip: t.boolean().notNull(),
    content: bytea().notNull(),
    signature: bytea().notNull(),
    seenAt: timestampTz().notNull().defaultNow(),
  }),
  (t) => [primaryKey({ columns: [t.build, t.path] })],
);

/**
 * When each hourly job last ended, and who runs it now. All machines share these rows, so that a
 * job runs once an hour in the whole deployment. `runner` is a process; it renews `leaseUntil`
 * while it works. After `leaseUntil` another process may take the job.
 */
export const hourlyJobs = pgTable('hourly_jobs', (t) => ({
  name: t.text().primaryKey(),
  runner: t.uuid(),
  leaseUntil: timestampTz(),
  endedAt: timestampTz().notNull(),
}));
