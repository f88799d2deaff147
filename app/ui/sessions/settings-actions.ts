'use server';

import { z } from 'zod';
import { done, NewPassword, refused, slowedDown } from '#app/ui/forms/fields.ts';
import { sessionAction } from '#app/ui/forms/guarded-action.ts';
import { changePassword, proveAgain } from '#server/accounts/account.ts';
import { currentAddress, startSession } from '#server/accounts/require.ts';

const Passwords = z.object({ current: z.string().min(1, 'required').max(1000, 'tooLong'), next: NewPassword });

/**
 * Checks the password of the signed-in account again, before an action that gives or takes access.
 */
export const proveAgainAction = sessionAction(
  z.object({ password: z.string().min(1, 'required').max(1000, 'tooLong') }),
  async (session, { password }) => {
    const proved = await proveAgain(session, password, await currentAddress());
    if (proved === 'wrong-password') return refused({ password: 'wrong' });
    return proved === 'proved' ? done(null) : slowedDown(proved);
  },
);

/** Changes the password. Ends every other session of the account and renews this one. */
export const changePasswordAction = sessionAction(Passwords, async ({ account }, { current, next }) => {
  const changed = await changePassword(account, current, next, await currentAddress());
  if (changed === 'wrong-password') return refused({ current: 'wrong' });
  if (typeof changed === 'string') return refused({ next: changed });
  if ('waitSeconds' in changed) return slowedDown(changed);
  await startSession(changed);
  return done(null);
});
