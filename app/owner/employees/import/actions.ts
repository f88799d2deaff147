'use server';

import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { applyImport, fixImportRow } from '#server/employees/imports.ts';

const Text = z.string().max(1000);

/**
 * Corrects one row of the preview. `namesake` accepts a name that exists already. Without a
 * `staffNumber` the list has no such column.
 */
export const correctImportRowAction = managerAction.within('importRow')(
  z.object({ id: z.uuid(), line: Id, name: Text, role: Text, staffNumber: Text.optional(), namesake: z.boolean() }),
  async (manager, { id, ...row }) => {
    const fixed = await fixImportRow(manager, id, row);
    return fixed === 'fixed' ? done(null) : refused({ form: 'gone' });
  },
);

/**
 * Saves all rows without a problem. `stale`: nothing was saved, because employees changed since the
 * preview with `shown`.
 */
export const saveImportAction = managerAction.within('bulk')(
  z.object({ id: z.uuid(), shown: z.string().max(100), reactivate: z.boolean() }),
  async (manager, { id, ...how }) => {
    const applied = await applyImport(manager, id, how);
    return applied === 'gone' ? refused({ form: 'gone' }) : done({ stale: applied === 'stale' });
  },
);
