import { customType, integer, timestamp } from 'drizzle-orm/pg-core';
import { companies } from '#db/schema/companies.ts';

/** Bytes as they are. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A moment, kept in UTC. */
export const moment = () => timestamp({ withTimezone: true });

/** When the row was made. */
export const createdAt = () => moment().notNull().defaultNow();

/** The company a row belongs to: the first column of every table's key. */
export const companyId = () =>
  integer()
    .notNull()
    .references(() => companies.id);
