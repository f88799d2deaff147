import type { InferSelectModel, Table } from 'drizzle-orm';
import type * as accounts from '#db/schema/accounts.ts';
import type * as auditLog from '#db/schema/audit-log.ts';
import type * as buildFiles from '#db/schema/build-files.ts';
import type * as companies from '#db/schema/companies.ts';
import type * as companyLogos from '#db/schema/company-logos.ts';
import type * as copies from '#db/schema/copies.ts';
import type * as employees from '#db/schema/employees.ts';
import type * as hourlyJobs from '#db/schema/hourly-jobs.ts';
import type * as joins from '#db/schema/joins.ts';
import type * as keyCalls from '#db/schema/key-calls.ts';
import type * as keys from '#db/schema/keys.ts';
import type * as notifications from '#db/schema/notifications.ts';
import type * as plannedSends from '#db/schema/planned-sends.ts';
import type * as portals from '#db/schema/portals.ts';
import type * as statistics from '#db/schema/statistics.ts';

// A table of each name that one of the files exports.
type Tables = typeof accounts &
  typeof auditLog &
  typeof buildFiles &
  typeof companies &
  typeof companyLogos &
  typeof copies &
  typeof employees &
  typeof hourlyJobs &
  typeof joins &
  typeof keyCalls &
  typeof keys &
  typeof notifications &
  typeof plannedSends &
  typeof portals &
  typeof statistics;

/**
 * The row of each table, with the names and types of its columns. A query takes the types of what
 * it selects from here: `Pick<Rows['employees'], 'id' | 'name'>`. So a renamed or changed column
 * fails the type check wherever it is read. Only types: loading drizzle would take 0.4 s at each
 * start.
 */
export type Rows = { [Name in keyof Tables]: Tables[Name] extends Table ? InferSelectModel<Tables[Name]> : never };
