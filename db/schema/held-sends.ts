import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { companyId, createdAt, moment } from '#db/schema/columns.ts';
import { employees } from '#db/schema/employees.ts';

/**
 * A send of an owner that has not left yet. It leaves at `leavesAt`: any process that finds it sends
 * it and deletes this row in one transaction. Until then an owner may undo it: `undoneAt` is set,
 * and the row stays for a day, so that a late second submit of the same draft sends nothing.
 * `draftId` becomes the notification's. A null `recipientId` means everyone. Only version 1.0 writes
 * here: the sweep moves its rows to `plannedSends`.
 */
export const heldSends = pgTable(
  'held_sends',
  {
    companyId: companyId(),
    draftId: uuid().notNull(),
    accountId: integer().notNull(),
    recipientId: integer(),
    title: varchar({ length: 120 }).notNull(),
    body: varchar({ length: 255 }).notNull(),
    kind: text().notNull(),
    url: varchar({ length: 2048 }),
    mustConfirm: boolean().notNull(),
    createdAt: createdAt(),
    leavesAt: moment().notNull(),
    undoneAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.draftId] }),
    index('held_sends_due').on(table.leavesAt).where(sql`${table.undoneAt} is null`),
    check('held_sends_kind', sql`${table.kind} in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')`),
    foreignKey({ columns: [table.companyId, table.accountId], foreignColumns: [accounts.companyId, accounts.id] }),
    foreignKey({ columns: [table.companyId, table.recipientId], foreignColumns: [employees.companyId, employees.id] }),
  ],
);
