import { z } from 'zod';
import { employeeChoices } from '#app/owner/employees/employee-choices.ts';
import { IdText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

/** The filters of the employee list in its address. `choose`: all rows are chosen at first. */
export const employeeQuery = {
  q: SearchText,
  state: z.enum(employeeChoices.state),
  account: z.enum(employeeChoices.account),
  portal: z.enum(employeeChoices.portal),
  sort: z.enum(employeeChoices.sort),
  choose: z.literal('all'),
  before: IdText,
};

export type EmployeeQuery = QueryOf<typeof employeeQuery>;

export const asEmployeeFilter = ({ q, choose, ...filter }: EmployeeQuery): EmployeeFilter => ({ ...filter, search: q });
