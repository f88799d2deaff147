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
import { companyId, createdAt, moment } from '#db/schema/columns.ts';
import { apiKeys } from '#db/schema/keys.ts';

/**
 * The first and last use of a key, and the origin of the last one. The call log writes it about
 * once a second, never the request.
 */
export const keyUses = pgTable(
  'key_uses',
  {
    companyId: companyId(),
    keyId: integer().notNull(),
    firstAt: moment().notNull(),
    lastAt: moment().notNull(),
    operation: text(),
    address: text().notNull(),
    client: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * The number of requests of a key in an hour, and of the refused ones among them. Kept for 32 days.
 */
export const keyTraffic = pgTable(
  'key_traffic',
  {
    companyId: companyId(),
    keyId: integer().notNull(),
    hour: moment().notNull(),
    requests: integer().notNull(),
    refused: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId, table.hour] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * A refused call of the public interface whose company is known. `keyId` is null for a call without
 * a key. `more` counts further calls of the same second, key or address, and reason, which have no
 * row of their own.
 */
export const refusals = pgTable(
  'refusals',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: moment().notNull(),
    requestId: uuid().notNull(),
    keyId: integer(),
    code: text().notNull(),
    field: text(),
    figures: jsonb().$type<Record<string, number>>(),
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
 * Refused calls of an hour for each key (null: without a key) and code. `wanted` is how many would
 * have had a row of their own, `notKept` how many calls have none because the hour's budget was
 * used up.
 */
export const refusalCounts = pgTable(
  'refusal_counts',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    hour: moment().notNull(),
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
    lastAt: moment().notNull().defaultNow(),
    pushedAt: moment(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    dismissedAt: moment(),
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
