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
 * A person who receives notifications. `id` is the public `user_id`. Notifications with numbers up
 * to `readUpTo` are read, unless their receipt has an `unreadAt`. Of those up to `settledUpTo`,
 * none is unread without an `unreadAt`: counting begins there (`server/inbox/unread.ts`).
 * `staffNumber` is the company's own number of the person.
 */
export const employees = pgTable(
  'employees',
  {
    companyId: companyId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    accountId: integer(),
    name: varchar({ length: 120 }).notNull(),
    role: varchar({ length: 60 }).notNull(),
    staffNumber: varchar({ length: 40 }),
    active: boolean().notNull().default(true),
    readUpTo: bigint({ mode: 'number' }).notNull().default(0),
    settledUpTo: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('employees_account').on(table.companyId, table.accountId),
    uniqueIndex('employees_staff_number')
      .on(table.companyId, table.staffNumber)
      .where(sql`${table.staffNumber} is not null`),
    // Every row has a role. The condition keeps a send to one employee from using this smaller
    // index instead of the primary key when statistics are outdated.
    index('employees_by_role').on(table.companyId, table.role, table.active).where(sql`${table.role} is not null`),
    index('employees_by_name').on(table.companyId, table.active.desc().nullsFirst(), table.name, table.id),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * A period in which the employee was active with one role. The employee sees broadcasts, and sends
 * to the role, with `fromNo < no <= untilNo`. `untilNo` and `role` are null while the period is
 * open. A period without `role` counts with the employee's current role.
 */
export const employment = pgTable(
  'employment',
  {
    companyId: companyId(),
    employeeId: integer().notNull(),
    fromNo: bigint({ mode: 'number' }).notNull(),
    untilNo: bigint({ mode: 'number' }),
    role: varchar({ length: 60 }),
  },
  (table) => [
    index('employment_spans').on(table.companyId, table.employeeId, table.fromNo, table.untilNo),
    index('employment_former_roles')
      .on(table.companyId, table.role, table.untilNo)
      .where(sql`${table.role} is not null`),
    uniqueIndex('employment_one_open_span').on(table.companyId, table.employeeId).where(sql`${table.untilNo} is null`),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * A link that gives access once. With `employeeId`, the employee creates or recovers an account.
 * With `accountId`, the owner or manager with this account chooses a new password. With
 * `ownerName`, a new owner creates an account; with `managerName`, a new manager. `createdBy` is
 * null when the operator made the link. Only the hash of its token is stored.
 */
export const invitations = pgTable(
  'invitations',
  {
    companyId: companyId(),
    tokenHash: bytea().notNull(),
    employeeId: integer(),
    accountId: integer(),
    ownerName: varchar({ length: 120 }),
    managerName: varchar({ length: 120 }),
    createdBy: integer(),
    createdAt: createdAt(),
    expiresAt: timestampTz().notNull(),
    usedAt: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.tokenHash] }),
    unique('invitations_token').on(table.tokenHash),
    index('invitations_employee').on(table.companyId, table.employeeId),
    check(
      'invitations_one_person',
      sql`num_nonnulls(${table.employeeId}, ${table.accountId}, ${table.ownerName}, ${table.managerName}) = 1`,
    ),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

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

/**
 * An import of employees. It is stored from the upload until it is applied, so that a reload of the
 * page loses nothing. Afterwards `rows` has only the rows with problems. `namesake` marks a row
 * that the owner adds although an employee has the same name.
 */
export const imports = pgTable(
  'imports',
  {
    companyId: companyId(),
    id: uuid().notNull().defaultRandom(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    rows: jsonb()
      .$type<{ line: number; name: string; role: string; staffNumber?: string; namesake?: boolean }[]>()
      .notNull(),
    appliedAt: timestampTz(),
    added: integer(),
    changed: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** An export of all data of a company, running or finished. Its worker renews `heartbeatAt`. */
export const exports = pgTable(
  'exports',
  {
    companyId: companyId(),
    id: uuid().notNull().defaultRandom(),
    createdBy: integer().notNull(),
    createdAt: createdAt(),
    heartbeatAt: timestampTz().notNull().defaultNow(),
    rowsDone: bigint({ mode: 'number' }).notNull().default(0),
    rowsTotal: bigint({ mode: 'number' }).notNull().default(0),
    finishedAt: timestampTz(),
    failedAt: timestampTz(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** The bytes of an export in parts, ordered by `place`. */
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
