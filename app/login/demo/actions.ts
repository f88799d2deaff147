'use server';

import { z } from 'zod';
import { done, type Result, refused } from '#app/ui/forms/fields.ts';
import { acceptDemoToken } from '#server/accounts/sign-in/demo-link.ts';
import { isOwnRequest, startSession } from '#server/accounts/sign-in/require.ts';

const Input = z.object({ token: z.string().max(200) });

/** Signs the owner of a trial's demo company in with the printed link, once. */
export async function demoSignInAction(input: { token: string }): Promise<Result<null>> {
  const parsed = Input.safeParse(input);
  if (!parsed.success || !(await isOwnRequest())) return refused({ form: 'failed' });
  const account = await acceptDemoToken(parsed.data.token);
  if (account === 'invalid') return refused({ form: 'linkUsed' });
  await startSession(account);
  return done(null);
}
