'use server';

import { z } from 'zod';
import { done, refused, slowedDown } from '#app/ui/forms/fields.ts';
import { anySessionAction } from '#app/ui/forms/guarded-action.ts';
import { acceptRecoveryCode } from '#server/accounts/owners/second-factor.ts';
import { currentAddress } from '#server/accounts/sign-in/require.ts';

/** Uses up a recovery code as the second factor of this session. */
export const acceptRecoveryCodeAction = anySessionAction(
  z.object({ code: z.string().min(1, 'required').max(100, 'tooLong') }),
  async (session, { code }) => {
    const accepted = await acceptRecoveryCode(session, code, await currentAddress());
    if (accepted === 'accepted') return done(null);
    return accepted === 'wrong' ? refused({ code: 'wrong' }) : slowedDown(accepted);
  },
);
