'use server';

import { z } from 'zod';
import { getExportTexts } from '#app/owner/settings/export/export-texts.ts';
import { done } from '#app/ui/forms/fields.ts';
import { provedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { createExport } from '#server/exports/exports.ts';

/** Starts an export of all data of the company. Returns its id. */
export const createExportAction = provedOwnerAction(z.object({}), async (owner) =>
  done(await createExport(owner, await getExportTexts(owner))),
);
