import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, companyId, createdAt } from '#db/schema/columns.ts';

/**
 * The logo of a company, as a PNG that this service wrote itself. `version` is the beginning of the
 * file's SHA-256. It is part of the address, so browsers may cache the logo for ever.
 */
export const companyLogos = pgTable('company_logos', {
  companyId: companyId().primaryKey(),
  version: text().notNull(),
  png: bytea().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: createdAt(),
});
