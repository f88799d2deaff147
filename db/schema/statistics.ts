import { bigint, date, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { companyId, timestampTz } from '#db/schema/columns.ts';

/**
 * What became of the sends of one day (of the company's time zone) and one key; `keyId` 0 means
 * manual sends. `reach`: people reached. `readWithinHour`: of those, who read within an hour.
 * `toConfirm`: reached by sends that must be confirmed, and `confirmed` of those did. The row stays
 * when the sends are deleted.
 */
export const sendStatistics = pgTable(
  'send_statistics',
  {
    companyId: companyId(),
    day: date().notNull(),
    keyId: integer().notNull(),
    sends: integer().notNull(),
    reach: bigint({ mode: 'number' }).notNull(),
    readWithinHour: bigint({ mode: 'number' }).notNull(),
    toConfirm: bigint({ mode: 'number' }).notNull(),
    confirmed: bigint({ mode: 'number' }).notNull(),
    countedAt: timestampTz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.day, table.keyId] })],
);
