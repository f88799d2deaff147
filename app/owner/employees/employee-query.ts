import { z } from 'zod';
import { IdText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

/** The values of the filters of the employee list, in the order of their menus. */
export const employeeChoices = {
  state: ['active', 'inactive'],
  account: ['own', 'none', 'uninvited', 'invited'],
  portal: ['never', 'away', 'silent'],
} as const;

/** The filters of the employee list in its address. `choose`: all rows are chosen at first. */
export const employeeQuery = {
  q: SearchText,
  state: z.enum(employeeChoices.state),
  account: z.enum(employeeChoices.account),
  portal: z.enum(employeeChoices.portal),
  sort: z.literal('new'),
  choose: z.literal('all'),
  before: IdText,
};

export type EmployeeQuery = QueryOf<typeof employeeQuery>;

export const asEmployeeFilter = ({ q, choose, ...filter }: EmployeeQuery): EmployeeFilter => ({ ...filter, search: q });
