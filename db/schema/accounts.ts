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

/** An account that can sign in: of an owner, of an employee, or of one person who is both. */
export const accounts = pgTable(
  'accounts',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    username: varchar({ length: 254 }).notNull(),
    name: varchar({ length: 120 }).notNull(),
    passwordHash: text().notNull(),
    isOwner: boolean().notNull().default(false),
    language: text(),
    sessionVersion: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('accounts_username').on(sql`lower(${table.username})`),
    index('accounts_owners').on(table.companyId).where(sql`${table.isOwner}`),
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
 * Failed sign-ins, counted by account name and address together, so that an attacker does not delay
 * the account's owner.
 */
export const signInFailures = pgTable('sign_in_failures', {
  subject: bytea().primaryKey(),
  windowStartedAt: moment().notNull(),
  failures: integer().notNull(),
});
