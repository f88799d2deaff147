'use server';

import { z } from 'zod';
import { done, NewPassword, refused } from '#app/ui/forms/fields.ts';
import { sessionAction } from '#app/ui/forms/guarded-action.ts';
import { changePassword } from '#server/accounts/accounts.ts';
import { currentAddress, startSession } from '#server/accounts/require.ts';
import { proveAgain } from '#server/accounts/sessions.ts';

const Passwords = z.object({ current: z.string().min(1, 'required').max(1000, 'tooLong'), next: NewPassword });

/** Takes the password of whoever is signed in once more, before something that gives or takes access. */
export const proveAgainAction = sessionAction(
  z.object({ password: z.string().min(1, 'required').max(1000, 'tooLong') }),
  async (session, { password }) => {
    const proved = await proveAgain(session, password, await currentAddress());
    if (proved === 'wrong-password') return refused({ password: 'wrong' });
    return proved === 'proved' ? done(null) : refused({ form: `wait:${proved.waitSeconds}` });
  },
);

/** Changes the password; every other session of the account ends, the one at hand goes on. */
export const changePasswordAction = sessionAction(Passwords, async ({ account }, { current, next }) => {
  const changed = await changePassword(account, current, next, await currentAddress());
  if (changed === 'wrong-password') return refused({ current: 'wrong' });
  if ('waitSeconds' in changed) return refused({ form: `wait:${changed.waitSeconds}` });
  await startSession({ companyId: account.companyId, accountId: account.accountId, ...changed });
  return done(null);
});
