import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const moment = () => timestamp({ withTimezone: true });
const createdAt = () => moment().notNull().defaultNow();

/**
 * A company is the tenant. Its row is the one lock of the service: every send raises `lastNo`, and every
 * change of who is active updates `activeEmployees` in the same row, so numbers become visible in order
 * and the reach of a broadcast is exact. Whatever ends somebody's session raises `accessNo`, so that a process
 * which remembers who asked knows when to look again. `mustConfirmKinds` are the kinds whose notifications people must
 * confirm; null in `keepNotificationsDays` means for ever.
 */
export const companies = pgTable('companies', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: varchar({ length: 120 }).notNull(),
  timeZone: text().notNull().default('Asia/Jakarta'),
  lastNo: bigint({ mode: 'number' }).notNull().default(0),
  activeEmployees: integer().notNull().default(0),
  accessNo: bigint({ mode: 'number' }).notNull().default(0),
  mustConfirmKinds: text().array().notNull().default(sql`'{}'`),
  keepNotificationsDays: integer(),
  keepRefusalsDays: integer().notNull().default(30),
  warnOfRepeats: boolean().notNull().default(true),
  warnOfSilence: boolean().notNull().default(true),
  createdAt: createdAt(),
});

const companyId = () =>
  integer()
    .notNull()
    .references(() => companies.id);

/** Somebody who can sign in: an owner, an employee, or one person who is both. */
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
    check('accounts_language', sql`${table.language} in ('id', 'en')`),
  ],
);

/**
 * A browser in which somebody is signed in; a session cookie names one. `provedAt` is when the password was last typed
 * there. Ending a session deletes its row.
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
    index('sessions_expiry').on(table.expiresAt),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** A person who can receive notifications; `id` is the `user_id` of the public interface. */
export const employees = pgTable(
  'employees',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    accountId: integer(),
    name: varchar({ length: 120 }).notNull(),
    role: varchar({ length: 60 }).notNull(),
    active: boolean().notNull().default(true),
    readUpTo: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('employees_account').on(table.companyId, table.accountId),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** A span of activity: the employee sees broadcasts with `fromNo < no <= untilNo` (open: no upper end). */
export const employment = pgTable(
  'employment',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    fromNo: bigint({ mode: 'number' }).notNull(),
    untilNo: bigint({ mode: 'number' }),
  },
  (table) => [
    index('employment_spans').on(table.companyId, table.employeeId),
    uniqueIndex('employment_one_open_span').on(table.companyId, table.employeeId).where(sql`${table.untilNo} is null`),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * An API key: nothing of the key itself is stored but the SHA-256 fingerprint (contract §3). `replacesId` is the key it was made
 * to replace. A send is expected every `expectedEveryMinutes`, counted from `expectedSince` on.
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
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique('api_keys_fingerprint').on(table.fingerprint),
    uniqueIndex('api_keys_active_name').on(table.companyId, table.name).where(sql`${table.revokedAt} is null`),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.replacesId], foreignColumns: [table.companyId, table.id] }),
  ],
);

/** When a key was first and last used, and from where; written every second or so, never by the request itself. */
export const keyUses = pgTable(
  'key_uses',
  {
    companyId: companyId(),
    keyId: integer().notNull(),
    firstAt: moment().notNull(),
    lastAt: moment().notNull(),
    address: text().notNull(),
    client: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.keyId] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** How many requests a key made in an hour, and how many of them were refused. Kept for two days. */
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
 * A call of the public interface that was refused, as far as it can be said whose it was. `keyId` is null when no key came
 * along. `more` counts calls of the same second, key or address, and reason that have no row of their own.
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
    index('refusals_request').on(table.companyId, table.requestId),
    index('refusals_key').on(table.companyId, table.keyId, table.id).where(sql`${table.keyId} is not null`),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** Something an owner should see at once; one that is open is raised again rather than doubled. */
export const alarms = pgTable(
  'alarms',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    keyId: integer().notNull(),
    at: createdAt(),
    lastAt: moment().notNull().defaultNow(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    dismissedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('alarms_open').on(table.companyId, table.kind, table.keyId).where(sql`${table.dismissedAt} is null`),
    check('alarms_kind', sql`${table.kind} in ('repeated-broadcast')`),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** The running one-minute window of each key. Made UNLOGGED by its migration: losing it restarts a window. */
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

/**
 * One row per send, also for a broadcast (`recipientId` null): spans say who saw it. One with `remindsNo` reminds of that
 * notification: only those see it who had not confirmed that one when it was sent. `draftId` makes a send by hand happen once.
 */
export const notifications = pgTable(
  'notifications',
  {
    companyId: companyId(),
    no: bigint({ mode: 'number' }).notNull(),
    recipientId: integer(),
    title: varchar({ length: 120 }).notNull(),
    body: varchar({ length: 255 }).notNull(),
    kind: text().notNull(),
    url: varchar({ length: 2048 }),
    reach: integer().notNull(),
    keyId: integer(),
    accountId: integer(),
    draftId: uuid(),
    mustConfirm: boolean().notNull().default(false),
    remindsNo: bigint({ mode: 'number' }),
    withdrawnAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.no] }),
    uniqueIndex('notifications_draft').on(table.companyId, table.draftId).where(sql`${table.draftId} is not null`),
    index('notifications_key').on(table.companyId, table.keyId, table.no).where(sql`${table.keyId} is not null`),
    index('notifications_reminders').on(table.companyId, table.remindsNo).where(sql`${table.remindsNo} is not null`),
    foreignKey({ columns: [table.companyId, table.remindsNo], foreignColumns: [table.companyId, table.no] }),
    index('notifications_broadcast').on(table.companyId, table.no).where(sql`${table.recipientId} is null`),
    index('notifications_direct')
      .on(table.companyId, table.recipientId, table.no)
      .where(sql`${table.recipientId} is not null`),
    check('notifications_kind', sql`${table.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    check('notifications_one_sender', sql`num_nonnulls(${table.keyId}, ${table.accountId}) = 1`),
    foreignKey({ columns: [table.companyId, table.recipientId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * What one person did with one notification; a row exists only where they did something. `readAt` and
 * `unreadAt` override the watermark `employees.readUpTo`: read if `readAt` or below it, unless `unreadAt`.
 */
export const receipts = pgTable(
  'receipts',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    no: bigint({ mode: 'number' }).notNull(),
    shownAt: moment(),
    readAt: moment(),
    unreadAt: moment(),
    confirmedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.no] }),
    index('receipts_notification').on(table.companyId, table.no),
    index('receipts_marked_unread').on(table.companyId, table.employeeId).where(sql`${table.unreadAt} is not null`),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [table.companyId, table.no], foreignColumns: [notifications.companyId, notifications.no] }),
  ],
);

/** When somebody marked everything up to a number as read: the time of reading of what has no receipt of its own. */
export const readMarks = pgTable(
  'read_marks',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    upTo: bigint({ mode: 'number' }).notNull(),
    at: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.upTo] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * How a person wants to be told; no row means all defaults. `hidePrivate` is null until it was offered. Quiet hours are
 * minutes of the day in `quietTimeZone` (null: the company's) and may pass midnight.
 */
export const preferences = pgTable(
  'preferences',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    mutedKinds: text().array().notNull().default(sql`'{}'`),
    hidePrivate: boolean(),
    keepPopUps: boolean().notNull().default(false),
    shortcuts: boolean().notNull().default(true),
    quietFrom: integer(),
    quietUntil: integer(),
    quietTimeZone: text(),
    silentUntil: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    check(
      'preferences_quiet_hours',
      sql`num_nulls(${table.quietFrom}, ${table.quietUntil}) in (0, 2)
      and ${table.quietFrom} between 0 and 1439 and ${table.quietUntil} between 0 and 1439`,
    ),
  ],
);

/** A browser in which somebody has the portal open, or had: when it last asked, and whether its sound works. */
export const portals = pgTable(
  'portals',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    browserId: uuid().notNull(),
    sound: text(),
    seenAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.browserId] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    check('portals_sound', sql`${table.sound} in ('on', 'click', 'muted', 'blocked', 'unsupported')`),
  ],
);

/**
 * Where a device takes notifications while the portal is closed (RFC 8030). It belongs to the session that
 * switched it on: another `sessionVersion` of the account ends it. One endpoint has one person.
 */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    endpointHash: bytea().notNull(),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    sessionVersion: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.endpointHash] }),
    unique('push_subscriptions_endpoint').on(table.endpointHash),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * Everything that changed anything, append only (a trigger refuses update, delete and truncate). `keyId` and `employeeId` are
 * whom the entry is about, for finding it; what it says is in `details`.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: moment().notNull().defaultNow(),
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
    index('audit_log_changes').on(table.companyId, table.id).where(sql`${table.action} <> 'notification.send'`),
    check('audit_log_actor_kind', sql`${table.actorKind} in ('key', 'account', 'system')`),
  ],
);

/** The answers given to sends that carried an `Idempotency-Key`, kept for 24 hours (contract §7). */
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
    index('idempotency_created').on(table.createdAt),
    foreignKey({ columns: [table.companyId, table.keyId], foreignColumns: [apiKeys.companyId, apiKeys.id] }),
  ],
);

/** A link that lets one employee make, or get back into, their account. Only the hash of its token is kept. */
export const invitations = pgTable(
  'invitations',
  {
    companyId: companyId(),
    tokenHash: bytea().notNull(),
    employeeId: integer().notNull(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.tokenHash] }),
    unique('invitations_token').on(table.tokenHash),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** Failed sign-ins by account name and address together, so that a stranger slows only themself down. */
export const signInFailures = pgTable('sign_in_failures', {
  subject: bytea().primaryKey(),
  windowStartedAt: moment().notNull(),
  failures: integer().notNull(),
});

/**
 * A list of employees on its way in: kept from the upload until it is applied, so that a reload loses nothing; afterwards `rows`
 * are the ones that were left out. `namesake` says that the owner wants somebody whose name is there already.
 */
export const imports = pgTable(
  'imports',
  {
    companyId: companyId(),
    id: uuid().notNull().defaultRandom(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    rows: jsonb().$type<{ line: number; name: string; role: string; namesake?: boolean }[]>().notNull(),
    appliedAt: moment(),
    added: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** A copy of everything of the company that is being made or can be fetched. `heartbeatAt` says that somebody works on it. */
export const exports = pgTable(
  'exports',
  {
    companyId: companyId(),
    id: uuid().notNull().defaultRandom(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    heartbeatAt: moment().notNull().defaultNow(),
    rowsDone: bigint({ mode: 'number' }).notNull().default(0),
    rowsTotal: bigint({ mode: 'number' }).notNull().default(0),
    finishedAt: moment(),
    failedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** The bytes of a finished export, in order. */
export const exportParts = pgTable(
  'export_parts',
  {
    companyId: companyId(),
    exportId: uuid().notNull(),
    place: integer().notNull(),
    bytes: bytea().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.exportId, table.place] }),
    foreignKey({
      columns: [table.companyId, table.exportId],
      foreignColumns: [exports.companyId, exports.id],
    }).onDelete('cascade'),
  ],
);
