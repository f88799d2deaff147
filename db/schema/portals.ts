import { sql } from 'drizzle-orm';
import { check, foreignKey, index, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { accounts, sessions } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, timestampTz } from '#db/schema/companies.ts';
import { employees } from '#db/schema/employees.ts';

/**
 * The notification settings of an employee; without a row all have their defaults. `hidePrivate` is
 * null, which counts as true, until the person chooses. Quiet hours are minutes of the day in
 * `quietTimeZone` (null: the company's time zone) and may pass midnight.
 */
export const preferences = pgTable(
  'preferences',
  (t) => ({
    companyId: companyId(),
    employeeId: t.integer().notNull(),
    mutedKinds: t.text().array().notNull().default(sql`'{}'`),
    sound: t.text().notNull().default('chime'),
    hidePrivate: t.boolean(),
    keepPopUps: t.boolean().notNull().default(false),
    shortcuts: t.boolean().notNull().default(true),
    unreadFirst: t.boolean().notNull().default(false),
    quietFrom: t.integer(),
    quietUntil: t.integer(),
    quietTimeZone: t.text(),
    silentUntil: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.employeeId] }),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    check('preferences_sound', sql`${t.sound} in ('chime', 'kentongan', 'gamelan', 'drop', 'bell')`),
    check(
      'preferences_quiet_hours',
      sql`num_nulls(${t.quietFrom}, ${t.quietUntil}) in (0, 2)
      and ${t.quietFrom} between 0 and 1439 and ${t.quietUntil} between 0 and 1439`,
    ),
  ],
);

/** A browser that has or had the portal open: its last request, and whether its sound works. */
export const portals = pgTable(
  'portals',
  (t) => ({
    companyId: companyId(),
    employeeId: t.integer().notNull(),
    browserId: t.uuid().notNull(),
    sound: t.text(),
    seenAt: timestampTz().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.employeeId, t.browserId] }),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    check('portals_sound', sql`${t.sound} in ('on', 'click', 'muted', 'blocked', 'unsupported')`),
  ],
);

/**
 * The push subscription of a device (RFC 8030), for the time while the portal is closed. It belongs
 * to the session that made it and is deleted with it. An endpoint belongs to one employee.
 */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  (t) => ({
    companyId: companyId(),
    employeeId: t.integer().notNull(),
    endpointHash: bytea().notNull(),
    endpoint: t.text().notNull(),
    p256dh: t.text().notNull(),
    auth: t.text().notNull(),
    sessionId: t.integer().notNull(),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.employeeId, t.endpointHash] }),
    unique('push_subscriptions_endpoint').on(t.endpointHash),
    index('push_subscriptions_session').on(t.companyId, t.sessionId),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({
      columns: [t.companyId, t.sessionId],
      foreignColumns: [sessions.companyId, sessions.id],
    }).onDelete('cascade'),
  ],
);

/**
 * A device of an owner that gets the alarms of the company by Web Push. Like a subscription of an
 * employee it belongs to the session that made it and is deleted with it. `pending` has the
 * messages that its push service has not accepted yet, by tag; they are posted again at `retryAt`.
 */
export const ownerDevices = pgTable(
  'owner_devices',
  (t) => ({
    companyId: companyId(),
    accountId: t.integer().notNull(),
    endpointHash: bytea().notNull(),
    endpoint: t.text().notNull(),
    p256dh: t.text().notNull(),
    auth: t.text().notNull(),
    sessionId: t.integer().notNull(),
    createdAt: createdAt(),
    pending: t.jsonb().$type<Record<string, string>>().notNull().default({}),
    retryAt: timestampTz(),
    retries: t.integer().notNull().default(0),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.accountId, t.endpointHash] }),
    unique('owner_devices_endpoint').on(t.endpointHash),
    index('owner_devices_session').on(t.companyId, t.sessionId),
    index('owner_devices_retry').on(t.retryAt).where(sql`${t.retryAt} is not null`),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({
      columns: [t.companyId, t.sessionId],
      foreignColumns: [sessions.companyId, sessions.id],
    }).onDelete('cascade'),
  ],
);
