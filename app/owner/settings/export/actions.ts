'use server';

import { z } from 'zod';
import { getExportTexts } from '#app/owner/settings/export/export-state.ts';
import { done } from '#app/ui/forms/fields.ts';
import { reauthenticatedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { createExport } from '#server/exports/exports.ts';

/** Starts an export of all data of the company. Returns its id. */
export const createExportAction = reauthenticatedOwnerAction(z.object({}), async (owner) =>
  done(await createExport(owner, await getExportTexts(owner))),
);
