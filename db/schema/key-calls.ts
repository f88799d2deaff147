import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { companyId, createdAt, timestampTz } from '#db/schema/columns.ts';
import { apiKeys } from '#db/schema/keys.ts';

/**
 * The first and the last use of a key; operation, address and client are of the last one. The call
 * log writes it about once a second, not during the request.
 */
export const keyUses = pgTable(
  'key_uses',
  {
    companyId: companyId(),
    keyId: integer().notNull(),
    firstAt: timestampTz().notNull(),
    lastAt: timestampTz().notNull(),
    operation: text(),
    address: text().notNull(),
    client: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** The number of requests, and of rejected ones, of a key in an hour. Kept for 32 days. */
export const keyTraffic = pgTable(
  'key_traffic',
  {
    companyId: companyId(),
    keyId: integer().notNull(),
    hour: timestampTz().notNull(),
    requests: integer().notNull(),
    refused: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId, table.hour] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * A rejected request of the public interface whose company is known. `keyId` is null for a request
 * without a key. `more` counts similar requests (same second, code, and key or address) without
 * their own row. `figures` has the parameters of the failure.
 */
export const refusals = pgTable(
  'refusals',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: timestampTz().notNull(),
    requestId: uuid().notNull(),
    keyId: integer(),
    code: text().notNull(),
    field: text(),
    figures: jsonb().$type<Record<string, number | string>>(),
    operation: text().notNull(),
    address: text().notNull(),
    client: text().notNull(),
    more: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('refusals_at').on(table.companyId, table.at),
    index('refusals_request').on(table.companyId, table.requestId),
    index('refusals_key').on(table.companyId, table.keyId, table.id).where(sql`${table.keyId} is not null`),
    index('refusals_without_key').on(table.companyId, table.id).where(sql`${table.keyId} is null`),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * Rejected requests of an hour for each key (null: without a key) and code. `wanted` counts the
 * rows that the hour would have without its limit. `notKept` counts the requests beyond it, which
 * have no row.
 */
export const refusalCounts = pgTable(
  'refusal_counts',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    hour: timestampTz().notNull(),
    keyId: integer(),
    code: text().notNull(),
    wanted: integer().notNull(),
    notKept: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique('refusal_counts_hour').on(table.companyId, table.hour, table.keyId, table.code).nullsNotDistinct(),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * An alarm for the owners. An open alarm is updated; there is at most one of each kind for a key.
 * `pushedAt` is when the owners' devices last got it.
 */
export const alarms = pgTable(
  'alarms',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    keyId: integer().notNull(),
    at: createdAt(),
    lastAt: timestampTz().notNull().defaultNow(),
    pushedAt: timestampTz(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    dismissedAt: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('alarms_open').on(table.companyId, table.kind, table.keyId).where(sql`${table.dismissedAt} is null`),
    index('alarms_to_push')
      .on(table.lastAt)
      .where(sql`${table.dismissedAt} is null and (${table.pushedAt} is null or ${table.lastAt} > ${table.pushedAt})`),
    check('alarms_kind', sql`${table.kind} in ('repeated-broadcast')`),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);
