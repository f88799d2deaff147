import { bigint, foreignKey, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '#db/schema/accounts.ts';
import { bytea, companyId, createdAt, timestampTz } from '#db/schema/columns.ts';

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
