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
import { bytea, companyId, createdAt, timestampTz } from '#db/schema/companies.ts';

/**
 * An account of an owner, a manager or an employee. An employee may also be an owner or a manager;
 * nobody is both of these. `ownerSince` is set for an account that became an owner after
 * `createdAt`.
 */
export const accounts = pgTable(
  'accounts',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    username: varchar({ length: 254 }).notNull(),
    name: varchar({ length: 120 }).notNull(),
    passwordHash: text().notNull(),
    isOwner: boolean().notNull().default(false),
    isManager: boolean().notNull().default(false),
    ownerSince: timestampTz(),
    signedInAt: timestampTz(),
    language: text(),
    sessionVersion: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('accounts_username').on(sql`lower(${table.username})`),
    index('accounts_owners').on(table.companyId).where(sql`${table.isOwner}`),
    index('accounts_managers').on(table.companyId).where(sql`${table.isManager}`),
    check('accounts_owner_or_manager', sql`not (${table.isOwner} and ${table.isManager})`),
    check('accounts_language', sql`${table.language} in ('id', 'en')`),
  ],
);

/**
 * A signed-in browser; the session cookie holds its id. `provedAt` is the last time the password
 * was entered there. Ending a session deletes its row.
 */
export const sessions = pgTable(
  'sessions',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    accountId: integer().notNull(),
    createdAt: createdAt(),
    seenAt: timestampTz().notNull().defaultNow(),
    provedAt: timestampTz().notNull().defaultNow(),
    expiresAt: timestampTz().notNull(),
    address: text().notNull(),
    client: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('sessions_account').on(table.companyId, table.accountId),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * Counted attempts: at a password or another secret, to sign up, to join. `subject` is a hash of
 * what they share, such as a name and an address. `lastAt` is the last counted attempt.
 */
export const signInFailures = pgTable('sign_in_failures', {
  subject: bytea().primaryKey(),
  windowStartedAt: timestampTz().notNull(),
  failures: integer().notNull(),
  lastAt: timestampTz().notNull().defaultNow(),
});

/**
 * Wrong passwords for an account from unknown browsers, for the owners' alarm. `source` is a hash
 * of the client's network. Rows without a new failure for an hour are deleted.
 */
export const signInGuesses = pgTable(
  'sign_in_guesses',
  {
    companyId: companyId(),
    accountId: integer().notNull(),
    source: bytea().notNull(),
    startedAt: timestampTz().notNull().defaultNow(),
    lastAt: timestampTz().notNull().defaultNow(),
    failures: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.accountId, table.source] }),
    index('sign_in_guesses_last').on(table.lastAt),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);
