'use server';

import { z } from 'zod';
import { done, NewPassword, refused, slowedDown } from '#app/ui/forms/fields.ts';
import { anySessionAction, sessionAction } from '#app/ui/forms/guarded-action.ts';
import { endOtherSessions } from '#server/accounts/sessions/sessions.ts';
import { changePassword, reauthenticate } from '#server/accounts/sign-in/account.ts';
import { currentAddress, startSession } from '#server/accounts/sign-in/require.ts';

const Passwords = z.object({ current: z.string().min(1, 'required').max(1000, 'tooLong'), next: NewPassword });

/** Checks the password again, before an action that gives or takes access. */
export const reauthenticateAction = anySessionAction(
  z.object({ password: z.string().min(1, 'required').max(1000, 'tooLong') }),
  async (session, { password }) => {
    const reauthenticated = await reauthenticate(session, password, await currentAddress());
    if (reauthenticated === 'wrong-password') return refused({ password: 'wrong' });
    if (reauthenticated === 'provider-only') return refused({ form: 'providerOnly' });
    return reauthenticated === 'reauthenticated' ? done(null) : slowedDown(reauthenticated);
  },
);

/** Changes the password. Ends every other session of the account and renews this one. */
export const changePasswordAction = sessionAction(Passwords, async (session, { current, next }) => {
  const changed = await changePassword(session, current, next, await currentAddress());
  if (changed === 'wrong-password') return refused({ current: 'wrong' });
  if (typeof changed === 'string') return refused({ next: changed });
  if ('waitSeconds' in changed) return slowedDown(changed);
  await startSession({ ...changed, hasSecondFactor: session.hasSecondFactor });
  return done(null);
});

const Which = z.object({ which: z.union([z.int().positive().max(2_147_483_647), z.literal('others')]) });

/** Ends one other session of the signed-in account, or all others. Returns how many it ended. */
export const endSessionsAction = sessionAction(Which, async (session, { which }) => {
  const ended = await endOtherSessions(session, which);
  return ended === 0 && which !== 'others' ? refused({ form: 'gone' }) : done(ended);
});
