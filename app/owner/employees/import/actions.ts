'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { ownerAction } from '#app/ui/forms/guarded-action.ts';
import { applyImport, createImport, fixImportRow } from '#server/employees/imports.ts';

const Text = z.string();

// The preview checks names and roles. This schema checks only that line numbers increase.
const List = z
  .array(z.tuple([Id, Text, Text]))
  .refine((rows) => rows.every(([line], at) => at === 0 || line > (rows[at - 1]?.[0] ?? 0)));

/** Stores a list of employees to import. Returns the id of its preview. */
export const createImportAction = ownerAction(List, async (owner, rows) => {
  const id = await createImport(
    owner,
    rows.map(([line, name, role]) => ({ line, name, role })),
  );
  if (id === 'too-many' || id === 'empty') return refused({ form: id });
  return done({ id });
});

/** Corrects one row of the preview. `namesake` accepts a name that exists already. */
export const fixImportRowAction = ownerAction(
  z.object({ id: z.uuid(), line: Id, name: Text.max(1000), role: Text.max(1000), namesake: z.boolean() }),
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
