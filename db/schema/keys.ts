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
import { bytea, companyId, createdAt, timestampTz } from '#db/schema/columns.ts';

/**
 * An API key. Only its SHA-256 fingerprint is stored (contract §3). `replacesId` is the key that it
 * replaces. A send is expected every `expectedEveryMinutes`, counted from `expectedSince`. At
 * `silenceCheckAt` (null: now) the service checks whether it is silent; `silentSince` is the start
 * of the last silence that was pushed to the owners' devices. From `expiresAt` on, the key is
 * rejected like a revoked one (null: it never expires).
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
    revokedAt: timestampTz(),
    note: varchar({ length: 500 }),
    replacesId: integer(),
    mustConfirm: boolean().notNull().default(false),
    expectedEveryMinutes: integer(),
    expectedSince: timestampTz(),
    silenceCheckAt: timestampTz(),
    silentSince: timestampTz(),
    expiresAt: timestampTz(),
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

/** The current one-minute window of each key. UNLOGGED: a crash starts new windows. */
export const keyUsage = pgTable(
  'key_usage',
  {
    companyId: integer().notNull(),
    keyId: integer().notNull(),
    windowStartedAt: timestampTz().notNull(),
    used: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** The answers to sends with an `Idempotency-Key`, valid for 24 hours (contract §7). */
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
