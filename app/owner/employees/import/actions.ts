'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { ownerAction } from '#app/ui/forms/guarded-action.ts';
import { applyImport, createImport, fixImportRow } from '#server/employees/imports.ts';

const Line = z.int().positive().max(2_147_483_647);
const Text = z.string();

// Names are checked row by row for the preview; here only that it is a list, with each line once.
const List = z
  .array(z.tuple([Line, Text, Text]))
  .refine((rows) => rows.every(([line], at) => at === 0 || line > (rows[at - 1]?.[0] ?? 0)));

/** Keeps a list for its preview and answers where that is. */
export const createImportAction = ownerAction(List, async (owner, rows) => {
  const id = await createImport(
    owner,
    rows.map(([line, name, role]) => ({ line, name, role })),
  );
  if (id === 'too-many' || id === 'empty') return refused({ form: id });
  return done({ id });
});

/** Corrects one row of the preview, or wants its namesake. */
export const fixImportRowAction = ownerAction(
  z.object({ id: z.uuid(), line: Line, name: Text.max(1000), role: Text.max(1000), namesake: z.boolean() }),
  async (owner, { id, ...row }) => {
    const fixed = await fixImportRow(owner, id, row);
    revalidatePath(`/owner/employees/import/${id}`);
    return fixed === 'fixed' ? done(null) : refused({ form: 'gone' });
  },
);

/** Adds everybody of the list who has no problem. */
export const applyImportAction = ownerAction(z.object({ id: z.uuid() }), async (owner, { id }) => {
  const applied = await applyImport(owner, id);
  revalidatePath('/owner/employees', 'layout');
  return applied === 'gone' ? refused({ form: 'gone' }) : done(applied);
});
