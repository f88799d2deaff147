'use server';

import { z } from 'zod';
import { done, type FormRefusal, Id, label, refused } from '#app/ui/forms/fields.ts';
import { reauthenticatedManagerAction, reauthenticatedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { env } from '#platform/config/settings.ts';
import {
  cancelOwnerInvitation,
  createOwnerLink,
  inviteManager,
  inviteOwner,
} from '#server/accounts/owners/owner-links.ts';
import {
  demoteOwner,
  leaveManagers,
  promoteManager,
  removeManager,
  removeOwner,
  signOutOwner,
} from '#server/accounts/owners/owners.ts';
import { endCurrentSession } from '#server/accounts/sign-in/require.ts';

const Invited = z.object({ name: label(120) });
const Other = z.object({ id: Id });

// An owner who was removed a moment ago is told the same as after the end of the session.
const refuse = (outcome: string): FormRefusal => refused({ form: outcome === 'not-owner' ? 'session-ended' : outcome });

const linkTo = ({ token }: { token: string }) => done({ link: `${env().APP_URL}/invite/${token}` });

/** Invites a new owner by name. The result holds the link, which is stored nowhere. */
export const inviteOwnerAction = reauthenticatedOwnerAction(Invited, async (owner, { name }) => {
  const invited = await inviteOwner(owner, name);
  return typeof invited === 'string' ? refuse(invited) : linkTo(invited);
});

/** Invites a new manager by name. The result holds the link, which is stored nowhere. */
export const inviteManagerAction = reauthenticatedOwnerAction(Invited, async (owner, { name }) => {
  const invited = await inviteManager(owner, name);
  return typeof invited === 'string' ? refuse(invited) : linkTo(invited);
});

/** Ends an unused invitation for a new owner or manager. */
export const cancelOwnerInvitationAction = reauthenticatedOwnerAction(
  z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  async (owner, { id }) => {
    const outcome = await cancelOwnerInvitation(owner, id);
    return outcome === 'cancelled' ? done(null) : refuse(outcome);
  },
);

/** Makes a link for a new password of another owner or a manager. The link is stored nowhere. */
export const createOwnerLinkAction = reauthenticatedOwnerAction(Other, async (owner, { id }) => {
  const made = await createOwnerLink(owner, id);
  return typeof made === 'string' ? refuse(made) : linkTo(made);
});

/** Ends all sessions of another owner or a manager. */
export const signOutOwnerAction = reauthenticatedOwnerAction(Other, async (owner, { id }) => {
  const outcome = await signOutOwner(owner, id);
  return outcome === 'signed-out' ? done(null) : refuse(outcome);
});

/** Ends the ownership of another owner. */
export const removeOwnerAction = reauthenticatedOwnerAction(Other, async (owner, { id }) => {
  const outcome = id === owner.accountId ? 'no-such-owner' : await removeOwner(owner, id);
  return outcome === 'removed' ? done(null) : refuse(outcome);
});

/** Makes another owner a manager. */
export const demoteOwnerAction = reauthenticatedOwnerAction(Other, async (owner, { id }) => {
  const outcome = await demoteOwner(owner, id);
  return outcome === 'demoted' ? done(null) : refuse(outcome);
});

/** Makes a manager an owner. */
export const promoteManagerAction = reauthenticatedOwnerAction(Other, async (owner, { id }) => {
  const outcome = await promoteManager(owner, id);
  return outcome === 'promoted' ? done(null) : refuse(outcome);
});

/** Ends the rights of a manager. */
export const removeManagerAction = reauthenticatedOwnerAction(Other, async (owner, { id }) => {
  const outcome = await removeManager(owner, id);
  return outcome === 'removed' ? done(null) : refuse(outcome);
});

/** Ends the rights of the signed-in manager and signs this browser out. */
export const leaveManagersAction = reauthenticatedManagerAction(z.null(), async (manager) => {
  const outcome = await leaveManagers(manager);
  if (outcome === 'not-manager') return refused({ form: 'session-ended' });
  await endCurrentSession();
  return done(null);
});

/** Ends the ownership of the signed-in owner and signs this browser out. */
export const leaveOwnersAction = reauthenticatedOwnerAction(z.null(), async (owner) => {
  const outcome = await removeOwner(owner, owner.accountId);
  if (outcome !== 'removed') return refuse(outcome);
  await endCurrentSession();
  return done(null);
});
