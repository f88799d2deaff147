'use server';

import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { anySessionAction, reauthenticatedSessionAction } from '#app/ui/forms/guarded-action.ts';
import { listReauthenticationWays, unlinkIdentity } from '#server/accounts/sign-in/identities.ts';

/** Makes sure that the session is re-authenticated before the person leaves for a provider. */
export const prepareLinkAction = reauthenticatedSessionAction(z.null(), async () => done(null));

/** Disconnects an identity of the signed-in account. */
export const unlinkIdentityAction = reauthenticatedSessionAction(z.object({ id: Id }), async ({ account }, { id }) => {
  const unlinked = await unlinkIdentity(account, id);
  if (unlinked === 'unlinked') return done(null);
  return refused({ form: unlinked === 'only-way-in' ? 'onlyWayIn' : 'gone' });
});

/** How the signed-in account can prove again who it is: with a password, with which providers. */
export const listReauthenticationWaysAction = anySessionAction(z.null(), async ({ account }) =>
  done(await listReauthenticationWays(account)),
);
