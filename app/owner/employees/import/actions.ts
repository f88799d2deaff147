'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { ownerAction } from '#app/ui/forms/guarded-action.ts';
import { applyImport, fixImportRow } from '#server/employees/imports.ts';

const Text = z.string().max(1000);

/** Corrects one row of the preview. `namesake` accepts a name that exists already. */
export const fixImportRowAction = ownerAction(
  z.object({ id: z.uuid(), line: Id, name: Text, role: Text, namesake: z.boolean() }),
  async (owner, { id, ...row }) => {
    const fixed = await fixImportRow(owner, id, row);
    revalidatePath(`/owner/employees/import/${id}`);
    return fixed === 'fixed' ? done(null) : refused({ form: 'gone' });
  },
);

/** Adds the employees of all rows without a problem. */
export const applyImportAction = ownerAction(z.object({ id: z.uuid() }), async (owner, { id }) => {
  const applied = await applyImport(owner, id);
  revalidatePath('/owner/employees', 'layout');
  return applied === 'gone' ? refused({ form: 'gone' }) : done(applied);
});
