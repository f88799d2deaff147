import type { InferSelectModel } from '#db/drizzle.cjs';
import type * as tables from '#db/schema/tables.ts';

/** The row of each table, for the types of what is not a query's own result. */
export type Rows = { [Name in keyof typeof tables]: InferSelectModel<(typeof tables)[Name]> };
