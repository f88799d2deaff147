import { z } from 'zod';
import { employeeChoices } from '#app/owner/employees/employee-choices.ts';
import { IdText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

/** The filters of the employee list in its address. */
export const employeeQuery = {
  q: SearchText,
  state: z.enum(employeeChoices.state),
  account: z.enum(employeeChoices.account),
  portal: z.enum(employeeChoices.portal),
  before: IdText,
};

/** The parameters that `employeeQuery` reads. */
export type EmployeeQuery = QueryOf<typeof employeeQuery>;

/** Turns the filters of an address into those of the domain. */
export const asEmployeeFilter = ({ q, state, account, portal }: EmployeeQuery): EmployeeFilter => ({
  search: q,
  state,
  account,
  portal,
});
