import { sql } from 'drizzle-orm';
import {
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
  uuid,
} from 'drizzle-orm/pg-core';
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
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    mutedKinds: text().array().notNull().default(sql`'{}'`),
    sound: text().notNull().default('chime'),
    hidePrivate: boolean(),
    keepPopUps: boolean().notNull().default(false),
    shortcuts: boolean().notNull().default(true),
    unreadFirst: boolean().notNull().default(false),
    quietFrom: integer(),
    quietUntil: integer(),
    quietTimeZone: text(),
    silentUntil: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    check('preferences_sound', sql`${table.sound} in ('chime', 'kentongan', 'gamelan', 'drop', 'bell')`),
    check(
      'preferences_quiet_hours',
      sql`num_nulls(${table.quietFrom}, ${table.quietUntil}) in (0, 2)
      and ${table.quietFrom} between 0 and 1439 and ${table.quietUntil} between 0 and 1439`,
    ),
  ],
);

/** A browser that has or had the portal open: its last request, and whether its sound works. */
export const portals = pgTable(
  'portals',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    browserId: uuid().notNull(),
    sound: text(),
    seenAt: timestampTz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.browserId] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    check('portals_sound', sql`${table.sound} in ('on', 'click', 'muted', 'blocked', 'unsupported')`),
  ],
);

/**
 * The push subscription of a device (RFC 8030), for the time while the portal is closed. It belongs
 * to the session that made it and is deleted with it. An endpoint belongs to one employee.
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
    sessionId: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.employeeId, table.endpointHash] }),
    unique('push_subscriptions_endpoint').on(table.endpointHash),
    index('push_subscriptions_session').on(table.companyId, table.sessionId),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({
      columns: [table.companyId, table.sessionId],
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
  {
    companyId: companyId(),
    accountId: integer().notNull(),
    endpointHash: bytea().notNull(),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    sessionId: integer().notNull(),
    createdAt: createdAt(),
    pending: jsonb().$type<Record<string, string>>().notNull().default({}),
    retryAt: timestampTz(),
    retries: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.accountId, table.endpointHash] }),
    unique('owner_devices_endpoint').on(table.endpointHash),
    index('owner_devices_session').on(table.companyId, table.sessionId),
    index('owner_devices_retry').on(table.retryAt).where(sql`${table.retryAt} is not null`),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({
      columns: [table.companyId, table.sessionId],
      foreignColumns: [sessions.companyId, sessions.id],
    }).onDelete('cascade'),
  ],
);
