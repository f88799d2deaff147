import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
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
