import { cache } from 'react';
import { IdText } from '#app/ui/lists/list-query.ts';
import { requireOwner } from '#server/accounts/require.ts';
import { findEmployee } from '#server/employees/employee-list.ts';

/** Finds the employee of an address (null: none) for the owner. Cached for one request. */
export const readEmployee = cache(async (text: string) => {
  const id = IdText.safeParse(text).data;
  const owner = await requireOwner(`/owner/employees/${id ?? ''}`);
  return { owner, employee: id === undefined ? null : await findEmployee(owner, id) };
});
