import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, moment } from '#db/schema/columns.ts';

/**
 * An API key. Only its SHA-256 fingerprint is stored (contract §3). `replacesId` is the key that it
 * replaces. A send is expected every `expectedEveryMinutes`, counted from `expectedSince`. At
 * `silenceCheckAt` (null: now) the service checks whether it is silent; `silentSince` is the start of
 * the last silence that owners' devices got. From `expiresAt` on, the key is rejected like a revoked
 * one (null: it never expires).
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    name: varchar({ length: 60 }).notNull(),
    fingerprint: bytea().notNull(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    revokedAt: moment(),
    note: varchar({ length: 500 }),
    replacesId: integer(),
    mustConfirm: boolean().notNull().default(false),
    expectedEveryMinutes: integer(),
    expectedSince: moment(),
    silenceCheckAt: moment(),
    silentSince: moment(),
    expiresAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique('api_keys_fingerprint').on(table.fingerprint),
    uniqueIndex('api_keys_active_name').on(table.companyId, table.name).where(sql`${table.revokedAt} is null`),
    index('api_keys_silence')
      .on(table.silenceCheckAt)
      .where(sql`${table.expectedEveryMinutes} is not null and ${table.revokedAt} is null`),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.replacesId], foreignColumns: [table.companyId, table.id] }),
  ],
);

/**
 * The current one-minute window of each key. The table is UNLOGGED: a crash loses it and starts new
 * windows.
 */
export const keyUsage = pgTable(
  'key_usage',
  {
    companyId: integer().notNull(),
    keyId: integer().notNull(),
    windowStartedAt: moment().notNull(),
    used: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** The answers to sends with an `Idempotency-Key`, kept for 24 hours (contract §7). */
export const idempotency = pgTable(
  'idempotency',
  {
    companyId: integer().notNull(),
    keyId: integer().notNull(),
    idempotencyKey: varchar({ length: 255 }).notNull(),
    bodyHash: bytea().notNull(),
    reach: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId, table.idempotencyKey] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);
