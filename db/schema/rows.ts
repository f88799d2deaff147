import type { InferSelectModel } from 'drizzle-orm';
import type * as tables from '#db/schema/tables.ts';

/**
 * The row of each table. A query takes the types of what it selects from here:
 * `Pick<Rows['employees'], 'id' | 'name'>`. So a changed column fails the type check wherever it is
 * read. Only types: loading drizzle would take 0.4 s at each start.
 */
export type Rows = { [Name in keyof typeof tables]: InferSelectModel<(typeof tables)[Name]> };

/** The name of a table or column in the schema. */
export const asColumn = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
