import { z } from 'zod';
import { employeeChoices } from '#app/owner/employees/employee-choices.ts';
import { IdText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

const maxIds = 200;

// Ids with commas between them: the people whose invitations are to be printed.
const IdsText = z
  .string()
  .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/)
  .transform((text) => text.split(',').slice(0, maxIds).map(Number));

/** The filters of the employee list in its address. `ids` are certain people. */
export const employeeQuery = {
  q: SearchText,
  state: z.enum(employeeChoices.state),
  account: z.enum(employeeChoices.account),
  portal: z.enum(employeeChoices.portal),
  ids: IdsText,
  before: IdText,
};

export type EmployeeQuery = QueryOf<typeof employeeQuery>;

export const asEmployeeFilter = ({ q, ...filter }: EmployeeQuery): EmployeeFilter => ({ ...filter, search: q });
