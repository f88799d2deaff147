import { cache } from 'react';
import { readId } from '#app/ui/lists/query.ts';
import { requireOwner } from '#server/accounts/require.ts';
import { findEmployee } from '#server/employees/employee-list.ts';

/** The employee an address is about, or null, and the owner who asks; read once for a request. */
export const readEmployee = cache(async (text: string) => {
  const id = readId(text);
  const owner = await requireOwner(`/owner/employees/${id ?? ''}`);
  return { owner, employee: id === undefined ? null : await findEmployee(owner, id) };
});
