import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgTable, primaryKey, text, unique, varchar } from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, timestampTz } from '#db/schema/columns.ts';
import { employees } from '#db/schema/employees.ts';

/**
 * A link of a company with which people ask to join. It takes `maxRequests` requests until
 * `expiresAt`, or until it is revoked. With `role`, everyone who is approved gets this role. Only
 * the hash of its token is stored.
 */
export const joinLinks = pgTable(
  'join_links',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    tokenHash: bytea().notNull(),
    role: varchar({ length: 60 }),
    maxRequests: integer().notNull(),
    requests: integer().notNull().default(0),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    expiresAt: timestampTz().notNull(),
    revokedAt: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique('join_links_token').on(table.tokenHash),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * A person who asked to join. The browser of the person has the token; only its hash is stored. An
 * approval creates the employee and an invitation with the same token. A request that is decided
 * without an `employeeId` was declined.
 */
export const joinRequests = pgTable(
  'join_requests',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    linkId: integer().notNull(),
    tokenHash: bytea().notNull(),
    name: varchar({ length: 120 }).notNull(),
    role: varchar({ length: 60 }),
    address: text().notNull(),
    createdAt: createdAt(),
    decidedAt: timestampTz(),
    decidedBy: integer(),
    employeeId: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique('join_requests_token').on(table.tokenHash),
    index('join_requests_open').on(table.companyId, table.id).where(sql`${table.decidedAt} is null`),
    foreignKey({ columns: [table.companyId, table.linkId], foreignColumns: [joinLinks.companyId, joinLinks.id] }),
    foreignKey({ columns: [table.companyId, table.decidedBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);
