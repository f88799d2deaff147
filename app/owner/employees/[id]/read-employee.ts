import { cache } from 'react';
import { IdText } from '#app/ui/lists/list-query.ts';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findEmployee } from '#server/employees/employee-list.ts';

export const readEmployee = cache(async (text: string) => {
  const id = IdText.safeParse(text).data;
  const manager = await requireManager(`/owner/employees/${id ?? ''}`);
  return { manager, employee: id === undefined ? null : await findEmployee(manager, id) };
});
