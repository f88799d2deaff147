import type { InferSelectModel, Table } from 'drizzle-orm';
import type * as accounts from '#db/schema/accounts.ts';
import type * as companies from '#db/schema/companies.ts';
import type * as employees from '#db/schema/employees.ts';
import type * as keys from '#db/schema/keys.ts';
import type * as notifications from '#db/schema/notifications.ts';
import type * as portals from '#db/schema/portals.ts';

// A table of each name that one of the files exports.
type Tables = typeof accounts &
  typeof companies &
  typeof employees &
  typeof keys &
  typeof notifications &
  typeof portals;

/**
 * The row of each table, with the names and types of its columns. A query takes the types of what
 * it selects from here: `Pick<Rows['employees'], 'id' | 'name'>`. So a renamed or changed column
 * fails the type check wherever it is read. Only types: loading drizzle would take 0.4 s at each
 * start.
 */
export type Rows = { [Name in keyof Tables]: Tables[Name] extends Table ? InferSelectModel<Tables[Name]> : never };
