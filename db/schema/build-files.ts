import { boolean, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, timestampTz } from '#db/schema/columns.ts';

/**
 * The scripts, styles and pictures of each build that a machine served lately. A machine with
 * another version finds them here, so that the pages of all versions load while machines are
 * updated. `signature` is an HMAC with AUTH_SECRET: rows without a valid one are not served.
 */
export const buildFiles = pgTable(
  'build_files',
  {
    build: text().notNull(),
    path: text().notNull(),
    isGzip: boolean().notNull(),
    content: bytea().notNull(),
    signature: bytea().notNull(),
    seenAt: timestampTz().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.build, table.path] })],
);
