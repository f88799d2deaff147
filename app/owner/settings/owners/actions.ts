'use server';

import { z } from 'zod';
import { done, type FormRefusal, Id, label, refused } from '#app/ui/forms/fields.ts';
import { provedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { cancelOwnerInvitation, createOwnerLink, inviteOwner } from '#server/accounts/owner-links.ts';
import { removeOwner, signOutOwner } from '#server/accounts/owners.ts';
import { endCurrentSession } from '#server/accounts/require.ts';
import { env } from '#server/env.ts';

const OtherOwner = z.object({ id: Id });

// An owner who was removed a moment ago is told the same as after the end of the session.
const refuse = (outcome: string): FormRefusal => refused({ form: outcome === 'not-owner' ? 'session-ended' : outcome });

const linkTo = ({ token }: { token: string }) => done({ link: `${env().APP_URL}/invite/${token}` });

/** Invites a new owner by name. The result holds the link, which is stored nowhere. */
export const inviteOwnerAction = provedOwnerAction(z.object({ name: label(120) }), async (owner, { name }) => {
  const invited = await inviteOwner(owner, name);
  return typeof invited === 'string' ? refuse(invited) : linkTo(invited);
});

/** Ends an unused invitation for a new owner. */
export const cancelOwnerInvitationAction = provedOwnerAction(
  z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  async (owner, { id }) => {
    const outcome = await cancelOwnerInvitation(owner, id);
    return outcome === 'cancelled' ? done(null) : refuse(outcome);
  },
);

/** Makes a link with which another owner chooses a new password. The link is stored nowhere. */
export const createOwnerLinkAction = provedOwnerAction(OtherOwner, async (owner, { id }) => {
  const made = await createOwnerLink(owner, id);
  return typeof made === 'string' ? refuse(made) : linkTo(made);
});

/** Ends all sessions of another owner. */
export const signOutOwnerAction = provedOwnerAction(OtherOwner, async (owner, { id }) => {
  const outcome = await signOutOwner(owner, id);
  return outcome === 'signed-out' ? done(null) : refuse(outcome);
});

/** Ends the ownership of another owner. */
export const removeOwnerAction = provedOwnerAction(OtherOwner, async (owner, { id }) => {
  const outcome = id === owner.accountId ? 'no-such-owner' : await removeOwner(owner, id);
  return outcome === 'removed' ? done(null) : refuse(outcome);
});

/** Ends the ownership of the signed-in owner and signs this browser out. */
export const leaveOwnersAction = provedOwnerAction(z.null(), async (owner) => {
  const outcome = await removeOwner(owner, owner.accountId);
  if (outcome !== 'removed') return refuse(outcome);
  await endCurrentSession();
  return done(null);
});
