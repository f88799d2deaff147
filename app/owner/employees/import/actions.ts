'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { applyImport, fixImportRow } from '#server/employees/imports.ts';

const Text = z.string().max(1000);

/** Corrects one row of the preview. `namesake` accepts a name that exists already. */
export const fixImportRowAction = managerAction(
  z.object({ id: z.uuid(), line: Id, name: Text, role: Text, namesake: z.boolean() }),
  async (manager, { id, ...row }) => {
    const fixed = await fixImportRow(manager, id, row);
    revalidatePath(`/owner/employees/import/${id}`);
    return fixed === 'fixed' ? done(null) : refused({ form: 'gone' });
  },
);

/** Adds the employees of all rows without a problem. */
export const applyImportAction = managerAction(z.object({ id: z.uuid() }), async (manager, { id }) => {
  const applied = await applyImport(manager, id);
  revalidatePath('/owner/employees', 'layout');
  return applied === 'gone' ? refused({ form: 'gone' }) : done(applied);
});
