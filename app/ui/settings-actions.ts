'use server';

import { z } from 'zod';
import { done, NewPassword, refused } from '#app/fields.ts';
import { sessionAction } from '#app/guarded-action.ts';
import { changePassword } from '#server/accounts.ts';
import { currentAddress, startSession } from '#server/require.ts';

const Passwords = z.object({ current: z.string().min(1, 'required').max(1000, 'tooLong'), next: NewPassword });

/** Changes the password; every other session of the account ends, the one at hand goes on. */
export const changePasswordAction = sessionAction(Passwords, async ({ account }, { current, next }) => {
  const changed = await changePassword(account, current, next, await currentAddress());
  if (changed === 'wrong-password') return refused({ current: 'wrong' });
  if ('waitSeconds' in changed) return refused({ form: `wait:${changed.waitSeconds}` });
  await startSession({ companyId: account.companyId, accountId: account.accountId, ...changed });
  return done(null);
});
