'use server';

import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { reauthenticatedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { makeRecoveryCodes, requireSecondFactor } from '#server/accounts/owners/second-factor.ts';

/** Makes new recovery codes. The result holds them; only their hashes are stored. */
export const makeRecoveryCodesAction = reauthenticatedOwnerAction(z.null(), async (owner) =>
  done(await makeRecoveryCodes(owner)),
);

/** Requires a second factor of owners and managers from a day; without `day`, no longer. */
export const requireSecondFactorAction = reauthenticatedOwnerAction(
  z.object({ day: z.union([z.literal(''), z.iso.date('invalid')]) }),
  async (owner, { day }) => {
    const outcome = await requireSecondFactor(owner, day || null);
    return outcome === 'passkey-first' ? refused({ day: outcome }) : done(null);
  },
);
