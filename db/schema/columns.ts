import { customType, integer, timestamp } from 'drizzle-orm/pg-core';
import { companies } from '#db/schema/companies.ts';

/** A column of raw bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A time with time zone; PostgreSQL stores it in UTC. */
export const timestampTz = () => timestamp({ withTimezone: true });

/** The time at which the row was inserted. */
export const createdAt = () => timestampTz().notNull().defaultNow();

/** The company of a row: the first column of every table's primary key. */
export const companyId = () =>
  integer()
    .notNull()
    .references(() => companies.id);
