'use server';

import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { sessionAction } from '#app/ui/forms/guarded-action.ts';
import { endOtherSessions } from '#server/accounts/sessions.ts';

const Which = z.object({ which: z.union([z.int().positive().max(2_147_483_647), z.literal('others')]) });

/** Ends one other session of the signed-in account, or all others. Returns how many it ended. */
export const endSessionsAction = sessionAction(Which, async (session, { which }) => {
  const ended = await endOtherSessions(session, which);
  return ended === 0 && which !== 'others' ? refused({ form: 'gone' }) : done(ended);
});
