import { sql } from 'drizzle-orm';
import { check, foreignKey, index, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, numbered, timestampTz } from '#db/schema/companies.ts';

/**
 * An API key. Only its SHA-256 fingerprint is stored (contract §3). `replacesId` is the key that it
 * replaces. A send is expected every `expectedEveryMinutes`, counted from `expectedSince`. At
 * `silenceCheckAt` (null: now) the service checks whether it is silent; `silentSince` is the start
 * of the last silence that was pushed to the owners' devices. From `expiresAt` on, the key is
 * rejected like a revoked one (null: it never expires).
 */
export const apiKeys = pgTable(
  'api_keys',
  (t) => ({
    ...numbered(),
    name: t.varchar({ length: 60 }).notNull(),
    fingerprint: bytea().notNull(),
    createdBy: t.integer().notNull(),
    createdAt: createdAt(),
    revokedAt: timestampTz(),
    note: t.varchar({ length: 500 }),
    replacesId: t.integer(),
    mustConfirm: t.boolean().notNull().default(false),
    expectedEveryMinutes: t.integer(),
    expectedSince: timestampTz(),
    silenceCheckAt: timestampTz(),
    silentSince: timestampTz(),
    expiresAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    unique('api_keys_fingerprint').on(t.fingerprint),
    uniqueIndex('api_keys_active_name').on(t.companyId, t.name).where(sql`${t.revokedAt} is null`),
    index('api_keys_silence')
      .on(t.silenceCheckAt)
      .where(sql`${t.expectedEveryMinutes} is not null and ${t.revokedAt} is null`),
    foreignKey({ columns: [t.companyId, t.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.replacesId], foreignColumns: [t.companyId, t.id] }),
  ],
);

/** The current one-minute window of each key. UNLOGGED: a crash starts new windows. */
export const keyUsage = pgTable(
  'key_usage',
  (t) => ({
    companyId: t.integer().notNull(),
    keyId: t.integer().notNull(),
    windowStartedAt: timestampTz().notNull(),
    used: t.integer().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.keyId] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** The answers to sends with an `Idempotency-Key`, valid for 24 hours (contract §7). */
export const idempotency = pgTable(
  'idempotency',
  (t) => ({
    companyId: t.integer().notNull(),
    keyId: t.integer().notNull(),
    idempotencyKey: t.varchar({ length: 255 }).notNull(),
    bodyHash: bytea().notNull(),
    reach: t.integer().notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.keyId, t.idempotencyKey] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * The first and the last use of a key; operation, address and client are of the last one. The call
 * log writes it about once a second, not during the request.
 */
export const keyUses = pgTable(
  'key_uses',
  (t) => ({
    companyId: companyId(),
    keyId: t.integer().notNull(),
    firstAt: timestampTz().notNull(),
    lastAt: timestampTz().notNull(),
    operation: t.text(),
    address: t.text().notNull(),
    client: t.text().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.keyId] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** The number of requests, and of rejected ones, of a key in an hour. Kept for 32 days. */
export const keyTraffic = pgTable(
  'key_traffic',
  (t) => ({
    companyId: companyId(),
    keyId: t.integer().notNull(),
    hour: timestampTz().notNull(),
    requests: t.integer().notNull(),
    refused: t.integer().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.keyId, t.hour] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * A rejected request of the public interface whose company is known. `keyId` is null for a request
 * without a key. `more` counts similar requests (same second, code, and key or address) without
 * their own row. `figures` has the parameters of the failure.
 */
export const refusals = pgTable(
  'refusals',
  (t) => ({
    companyId: companyId(),
    id: t.bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: timestampTz().notNull(),
    requestId: t.uuid().notNull(),
    keyId: t.integer(),
    code: t.text().notNull(),
    field: t.text(),
    figures: t.jsonb().$type<Record<string, number | string>>(),
    operation: t.text().notNull(),
    address: t.text().notNull(),
    client: t.text().notNull(),
    more: t.integer().notNull().default(0),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('refusals_at').on(t.companyId, t.at),
    index('refusals_request').on(t.companyId, t.requestId),
    index('refusals_key').on(t.companyId, t.keyId, t.id).where(sql`${t.keyId} is not null`),
    index('refusals_without_key').on(t.companyId, t.id).where(sql`${t.keyId} is null`),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * Rejected requests of an hour for each key (null: without a key) and code. `wanted` counts the
 * rows that the hour would have without its limit. `notKept` counts the requests beyond it, which
 * have no row.
 */
export const refusalCounts = pgTable(
  'refusal_counts',
  (t) => ({
    companyId: companyId(),
    id: t.bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    hour: timestampTz().notNull(),
    keyId: t.integer(),
    code: t.text().notNull(),
    wanted: t.integer().notNull(),
    notKept: t.bigint({ mode: 'number' }).notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    unique('refusal_counts_hour').on(t.companyId, t.hour, t.keyId, t.code).nullsNotDistinct(),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * An alarm for the owners about a key or an account. An open alarm is updated; there is at most one of
 * each kind for a key or account.
 * `pushedAt` is when the owners' devices last got it.
 */
export const alarms = pgTable(
  'alarms',
  (t) => ({
    ...numbered(),
    kind: t.text().notNull(),
    keyId: t.integer(),
    accountId: t.integer(),
    at: createdAt(),
    lastAt: timestampTz().notNull().defaultNow(),
    pushedAt: timestampTz(),
    details: t.jsonb().$type<Record<string, unknown>>().notNull(),
    dismissedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('alarms_open').on(t.companyId, t.kind, t.keyId).where(sql`${t.dismissedAt} is null`),
    uniqueIndex('alarms_open_account').on(t.companyId, t.kind, t.accountId).where(sql`${t.dismissedAt} is null`),
    index('alarms_to_push')
      .on(t.lastAt)
      .where(sql`${t.dismissedAt} is null and (${t.pushedAt} is null or ${t.lastAt} > ${t.pushedAt})`),
    check('alarms_kind', sql`${t.kind} in ('repeated-broadcast', 'denied-requests', 'links-changed')`),
    check('alarms_one_source', sql`num_nonnulls(${t.keyId}, ${t.accountId}) = 1`),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/**
 * The audit log: one entry for each change, append only (a trigger refuses update, delete and
 * truncate). `keyId` and `employeeId` make an entry findable by its subject; its content is in
 * `details`.
 */
// A foreign key to the company only: a key or person that is missing never blocks an entry.
export const auditLog = pgTable(
  'audit_log',
  (t) => ({
    companyId: companyId(),
    id: t.bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: timestampTz().notNull().defaultNow(),
    actorKind: t.text().notNull(),
    actorId: t.integer(),
    actorName: t.varchar({ length: 120 }).notNull(),
    action: t.text().notNull(),
    details: t.jsonb().$type<Record<string, unknown>>().notNull(),
    requestId: t.text().notNull(),
    keyId: t.integer(),
    employeeId: t.integer(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('audit_log_at').on(t.companyId, t.at),
    index('audit_log_key').on(t.companyId, t.keyId, t.id).where(sql`${t.keyId} is not null`),
    index('audit_log_employee').on(t.companyId, t.employeeId, t.id).where(sql`${t.employeeId} is not null`),
    index('audit_log_actions').on(t.companyId, t.action, t.id).where(sql`${t.action} <> 'notification.send'`),
    index('audit_log_unreached').on(t.companyId, t.id).where(sql`${t.details}->>'reach' = '0'`),
    index('audit_log_changes').on(t.companyId, t.id).where(sql`${t.action} <> 'notification.send'`),
    check('audit_log_actor_kind', sql`${t.actorKind} in ('key', 'account', 'system', 'operator')`),
  ],
);
