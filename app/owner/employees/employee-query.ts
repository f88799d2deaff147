import { z } from 'zod';
import { IdText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

/** The filters of the employee list in its address, in the order of their menus. `choose`: all rows are chosen at first. */
export const employeeQuery = {
  q: SearchText,
  state: z.enum(['active', 'inactive']),
  account: z.enum(['own', 'none', 'uninvited', 'invited']),
  portal: z.enum(['never', 'away', 'silent']),
  sort: z.literal('new'),
  choose: z.literal('all'),
  before: IdText,
};

export type EmployeeQuery = QueryOf<typeof employeeQuery>;

export const asEmployeeFilter = ({ q, choose, ...filter }: EmployeeQuery): EmployeeFilter => ({ ...filter, search: q });
