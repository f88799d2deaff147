import { bigint, foreignKey, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, moment } from '#db/schema/columns.ts';

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
