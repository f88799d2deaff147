'use server';

import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { publicAction } from '#app/ui/forms/guarded-action.ts';
import { acceptDemoToken } from '#server/accounts/sign-in/demo-link.ts';
import { startSession } from '#server/accounts/sign-in/require.ts';

/** Signs the owner of a trial's demo company in with the printed link, once. */
export const demoSignInAction = publicAction(z.object({ token: z.string().max(200) }), async ({ token }) => {
  const account = await acceptDemoToken(token);
  if (account === 'invalid') return refused({ form: 'linkUsed' });
  await startSession(account);
  return done(null);
});
