import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
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
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, timestampTz } from '#db/schema/companies.ts';

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

/**
 * The audit log: one entry for each change, append only (a trigger refuses update, delete and
 * truncate). `keyId` and `employeeId` make an entry findable by its subject; its content is in
 * `details`.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: timestampTz().notNull().defaultNow(),
    actorKind: text().notNull(),
    actorId: integer(),
    actorName: varchar({ length: 120 }).notNull(),
    action: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    requestId: text().notNull(),
    keyId: integer(),
    employeeId: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('audit_log_at').on(table.companyId, table.at),
    index('audit_log_key').on(table.companyId, table.keyId, table.id).where(sql`${table.keyId} is not null`),
    index('audit_log_employee')
      .on(table.companyId, table.employeeId, table.id)
      .where(sql`${table.employeeId} is not null`),
    index('audit_log_actions')
      .on(table.companyId, table.action, table.id)
      .where(sql`${table.action} <> 'notification.send'`),
    index('audit_log_unreached').on(table.companyId, table.id).where(sql`${table.details}->>'reach' = '0'`),
    index('audit_log_changes').on(table.companyId, table.id).where(sql`${table.action} <> 'notification.send'`),
    check('audit_log_actor_kind', sql`${table.actorKind} in ('key', 'account', 'system', 'operator')`),
  ],
);
