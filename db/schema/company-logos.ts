import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, companyId, createdAt } from '#db/schema/columns.ts';

/**
 * The logo of a company, as a PNG that this service wrote itself. `version` begins the SHA-256 of
 * the file and is part of its address, so that a browser may keep it for ever.
 */
export const companyLogos = pgTable('company_logos', {
  companyId: companyId().primaryKey(),
  version: text().notNull(),
  png: bytea().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: createdAt(),
});
