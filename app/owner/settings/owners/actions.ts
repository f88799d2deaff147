'use server';

import { z } from 'zod';
import { done, type FormRefusal, Id, label, refused } from '#app/ui/forms/fields.ts';
import { reauthenticatedManagerAction, reauthenticatedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { env } from '#platform/config/settings.ts';
import { cancelOwnerInvitation, createOwnerLink, inviteOwner } from '#server/accounts/owners/owner-links.ts';
import {
  exchangeRights,
  leaveManagers,
  removeManager,
  removeOwner,
  signOutOwner,
} from '#server/accounts/owners/owners.ts';
import { endCurrentSession } from '#server/accounts/sign-in/require.ts';
import type { Owner } from '#server/principals.ts';

const refuse = (outcome: string): FormRefusal => refused({ form: outcome });

const linkTo = (made: { token: string } | string) =>
  typeof made === 'string' ? refuse(made) : done({ link: `${env().APP_URL}/invite/${made.token}` });

/** Invites a new owner or manager by name. The result holds the link, which is stored nowhere. */
export const inviteOwnerAction = reauthenticatedOwnerAction.within('invitation')(
  z.object({ name: label(120), rights: z.enum(['owner', 'manager']) }),
  async (owner, { name, rights }) => linkTo(await inviteOwner(owner, name, rights)),
);

export const cancelOwnerInvitationAction = reauthenticatedOwnerAction(
  z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  async (owner, { id }) => {
    const outcome = await cancelOwnerInvitation(owner, id);
    return outcome === 'cancelled' ? done(null) : refuse(outcome);
  },
);

/** Makes a link for a new password of another owner or a manager. The link is stored nowhere. */
export const createOwnerLinkAction = reauthenticatedOwnerAction.within('invitation')(
  z.object({ id: Id }),
  async (owner, { id }) => linkTo(await createOwnerLink(owner, id)),
);

const changes = {
  signOut: signOutOwner,
  promote: (owner: Owner, id: number) => exchangeRights(owner, id, 'owner'),
  demote: (owner: Owner, id: number) => exchangeRights(owner, id, 'manager'),
  remove: removeOwner,
  removeManager,
};
const successes = ['signed-out', 'exchanged', 'removed'];

/** Ends all sessions of another owner or a manager, or changes their rights. */
export const changeOwnerAction = reauthenticatedOwnerAction(
  z.object({ id: Id, change: z.enum(['signOut', 'promote', 'demote', 'remove', 'removeManager']) }),
  async (owner, { id, change }) => {
    const isOwnRemoval = change === 'remove' && id === owner.accountId;
    const outcome = isOwnRemoval ? 'no-such-owner' : await changes[change](owner, id);
    return successes.includes(outcome) ? done(null) : refuse(outcome);
  },
);

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
