import { sql } from 'drizzle-orm';
import { check, foreignKey, index, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, numbered, timestampTz } from '#db/schema/companies.ts';

/**
 * A person who receives notifications. `id` is the public `user_id`. Notifications with numbers up
 * to `readUpTo` are read, unless their receipt has an `unreadAt`. Of those up to `settledUpTo`,
 * none is unread without an `unreadAt`: counting begins there (`server/inbox/unread.ts`).
 * `staffNumber` is the company's own number of the person.
 */
export const employees = pgTable(
  'employees',
  (t) => ({
    ...numbered(),
    accountId: t.integer(),
    name: t.varchar({ length: 120 }).notNull(),
    role: t.varchar({ length: 60 }).notNull(),
    staffNumber: t.varchar({ length: 40 }),
    active: t.boolean().notNull().default(true),
    readUpTo: t.bigint({ mode: 'number' }).notNull().default(0),
    settledUpTo: t.bigint({ mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('employees_account').on(t.companyId, t.accountId),
    uniqueIndex('employees_staff_number').on(t.companyId, t.staffNumber).where(sql`${t.staffNumber} is not null`),
    // Every row has a role. The condition keeps a send to one employee from using this smaller
    // index instead of the primary key when statistics are outdated.
    index('employees_by_role').on(t.companyId, t.role, t.active).where(sql`${t.role} is not null`),
    index('employees_by_name').on(t.companyId, t.active.desc().nullsFirst(), t.name, t.id),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * A period in which the employee was active. The employee receives broadcasts with
 * `fromNo < no <= untilNo`. `untilNo` is null while the period is open.
 */
export const employment = pgTable(
  'employment',
  (t) => ({
    companyId: companyId(),
    employeeId: t.integer().notNull(),
    fromNo: t.bigint({ mode: 'number' }).notNull(),
    untilNo: t.bigint({ mode: 'number' }),
  }),
  (t) => [
    index('employment_spans').on(t.companyId, t.employeeId, t.fromNo, t.untilNo),
    uniqueIndex('employment_one_open_span').on(t.companyId, t.employeeId).where(sql`${t.untilNo} is null`),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
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
  (t) => ({
    companyId: companyId(),
    tokenHash: bytea().notNull(),
    employeeId: t.integer(),
    accountId: t.integer(),
    ownerName: t.varchar({ length: 120 }),
    managerName: t.varchar({ length: 120 }),
    createdBy: t.integer(),
    createdAt: createdAt(),
    expiresAt: timestampTz().notNull(),
    usedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.tokenHash] }),
    unique('invitations_token').on(t.tokenHash),
    index('invitations_employee').on(t.companyId, t.employeeId),
    check(
      'invitations_one_person',
      sql`num_nonnulls(${t.employeeId}, ${t.accountId}, ${t.ownerName}, ${t.managerName}) = 1`,
    ),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
    foreignKey({ columns: [t.companyId, t.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * A link of a company with which people ask to join. It takes `maxRequests` requests until
 * `expiresAt`, or until it is revoked. With `role`, everyone who is approved gets this role. Only
 * the hash of its token is stored.
 */
export const joinLinks = pgTable(
  'join_links',
  (t) => ({
    ...numbered(),
    tokenHash: bytea().notNull(),
    role: t.varchar({ length: 60 }),
    maxRequests: t.integer().notNull(),
    requests: t.integer().notNull().default(0),
    createdBy: t.integer().notNull(),
    createdAt: createdAt(),
    expiresAt: timestampTz().notNull(),
    revokedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    unique('join_links_token').on(t.tokenHash),
    foreignKey({ columns: [t.companyId, t.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/**
 * A person who asked to join. The browser of the person has the token; only its hash is stored. An
 * approval creates the employee and an invitation with the same token. A request that is decided
 * without an `employeeId` was declined.
 */
export const joinRequests = pgTable(
  'join_requests',
  (t) => ({
    ...numbered(),
    linkId: t.integer().notNull(),
    tokenHash: bytea().notNull(),
    name: t.varchar({ length: 120 }).notNull(),
    role: t.varchar({ length: 60 }),
    address: t.text().notNull(),
    createdAt: createdAt(),
    decidedAt: timestampTz(),
    decidedBy: t.integer(),
    employeeId: t.integer(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    unique('join_requests_token').on(t.tokenHash),
    index('join_requests_open').on(t.companyId, t.id).where(sql`${t.decidedAt} is null`),
    foreignKey({ columns: [t.companyId, t.linkId], foreignColumns: [joinLinks.companyId, joinLinks.id] }),
    foreignKey({ columns: [t.companyId, t.decidedBy], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [t.companyId, t.employeeId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);

/**
 * An import of employees. It is stored from the upload until it is applied, so that a reload of the
 * page loses nothing. Afterwards `rows` has only the rows with problems. `namesake` marks a row
 * that the owner adds although an employee has the same name.
 */
export const imports = pgTable(
  'imports',
  (t) => ({
    companyId: companyId(),
    id: t.uuid().notNull().defaultRandom(),
    createdBy: t.integer().notNull(),
    createdAt: createdAt(),
    rows: t
      .jsonb()
      .$type<{ line: number; name: string; role: string; staffNumber?: string; namesake?: boolean }[]>()
      .notNull(),
    appliedAt: timestampTz(),
    added: t.integer(),
    changed: t.integer(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** An export of all data of a company, running or finished. Its worker renews `heartbeatAt`. */
export const exports = pgTable(
  'exports',
  (t) => ({
    companyId: companyId(),
    id: t.uuid().notNull().defaultRandom(),
    createdBy: t.integer().notNull(),
    createdAt: createdAt(),
    heartbeatAt: timestampTz().notNull().defaultNow(),
    rowsDone: t.bigint({ mode: 'number' }).notNull().default(0),
    rowsTotal: t.bigint({ mode: 'number' }).notNull().default(0),
    finishedAt: timestampTz(),
    failedAt: timestampTz(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.createdBy], foreignColumns: [accounts.companyId, accounts.id] }),
  ],
);

/** The bytes of an export in parts, ordered by `place`. */
export const exportParts = pgTable(
  'export_parts',
  (t) => ({
    companyId: companyId(),
    exportId: t.uuid().notNull(),
    place: t.integer().notNull(),
    bytes: bytea().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.companyId, t.exportId, t.place] }),
    foreignKey({
      columns: [t.companyId, t.exportId],
      foreignColumns: [exports.companyId, exports.id],
    }).onDelete('cascade'),
  ],
);
