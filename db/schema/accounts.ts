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
import { bytea, companyId, createdAt, moment } from '#db/schema/columns.ts';

/**
 * An account that can sign in: of an owner, a manager, an employee, or of an employee who is also
 * one of the others. A manager sends notifications and manages employees; `isOwner` is false then.
 * `ownerSince` is set when an employee became an owner; other owners are owners since `createdAt`.
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
    ownerSince: moment(),
    signedInAt: moment(),
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
    seenAt: moment().notNull().defaultNow(),
    provedAt: moment().notNull().defaultNow(),
    expiresAt: moment().notNull(),
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
 * Failed attempts at a password or another secret, counted by a hash of what they have in common: a
 * name and an address, a name alone, an address alone, a browser. `lastAt` is the last attempt that
 * was counted.
 */
export const signInFailures = pgTable('sign_in_failures', {
  subject: bytea().primaryKey(),
  windowStartedAt: moment().notNull(),
  failures: integer().notNull(),
  lastAt: moment().notNull().defaultNow(),
});

/**
 * Wrong passwords for an account, from browsers that it does not know, for the alarm of the owner.
 * `source` is a hash of the network that they came from. Rows without a new failure for an hour are
 * deleted.
 */
export const signInGuesses = pgTable(
  'sign_in_guesses',
  {
    companyId: companyId(),
    accountId: integer().notNull(),
    source: bytea().notNull(),
    startedAt: moment().notNull().defaultNow(),
    lastAt: moment().notNull().defaultNow(),
    failures: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.accountId, table.source] }),
    index('sign_in_guesses_last').on(table.lastAt),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);
