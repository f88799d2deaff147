'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done } from '#app/ui/forms/fields.ts';
import { provedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { createInvitations, maxSheetInvitations } from '#server/employees/invitation-sheet.ts';
import { env } from '#server/env.ts';

const Ids = z.array(z.int().positive().max(2_147_483_647)).min(1).max(maxSheetInvitations);

/** Makes a link for each of these people; the links are in this answer and nowhere else. */
export const makeSheetAction = provedOwnerAction(Ids, async (owner, ids) => {
  const invitations = await createInvitations(owner, ids);
  revalidatePath('/owner/employees');
  return done(invitations.map(({ token, ...person }) => ({ ...person, link: `${env().APP_URL}/invite/${token}` })));
});
