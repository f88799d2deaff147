'use server';

import { z } from 'zod';
import { done, refused, slowedDown } from '#app/ui/forms/fields.ts';
import { anySessionAction, publicAction } from '#app/ui/forms/guarded-action.ts';
import { acceptRecoveryCode } from '#server/accounts/owners/second-factor.ts';
import { acceptDemoToken } from '#server/accounts/sign-in/demo-link.ts';
import { makeSignInOptions } from '#server/accounts/sign-in/passkeys.ts';
import { currentAddress, startSession } from '#server/accounts/sign-in/require.ts';

/** What a browser needs to sign in with a passkey, for a page that stays open; null without passkeys. */
export async function startPasskeySignInAction() {
  return makeSignInOptions();
}

/** Signs the owner of a trial's demo company in with the printed link, once. */
export const demoSignInAction = publicAction(z.object({ token: z.string().max(200) }), async ({ token }) => {
  const account = await acceptDemoToken(token);
  if (account === 'invalid') return refused({ form: 'linkUsed' });
  await startSession(account);
  return done(null);
});

/** Uses up a recovery code as the second factor of this session. */
export const acceptRecoveryCodeAction = anySessionAction(
  z.object({ code: z.string().min(1, 'required').max(100, 'tooLong') }),
  async (session, { code }) => {
    const accepted = await acceptRecoveryCode(session, code, await currentAddress());
    if (accepted === 'accepted') return done(null);
    return accepted === 'wrong' ? refused({ code: 'wrong' }) : slowedDown(accepted);
  },
);
