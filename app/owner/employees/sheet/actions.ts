'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id } from '#app/ui/forms/fields.ts';
import { provedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { createInvitations, maxSheetInvitations } from '#server/employees/invitation-sheet.ts';
import { env } from '#server/env.ts';

const Ids = z.array(Id).min(1).max(maxSheetInvitations);

/** Creates invitation links for employees. The result holds them; they are stored nowhere. */
export const createInvitationsAction = provedOwnerAction(Ids, async (owner, ids) => {
  const invitations = await createInvitations(owner, ids);
  revalidatePath('/owner/employees');
  return done(invitations.map(({ token, ...employee }) => ({ ...employee, link: `${env().APP_URL}/invite/${token}` })));
});
