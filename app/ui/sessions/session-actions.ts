'use server';

import { z } from 'zod';
import { done, doneIf, doneOn, Id, label, NewPassword, refused, slowedDown } from '#app/ui/forms/fields.ts';
import {
  anySessionAction,
  reauthenticatedAnySessionAction,
  reauthenticatedSessionAction,
  sessionAction,
} from '#app/ui/forms/guarded-action.ts';
import { endBell, endOtherSessions } from '#server/accounts/sessions/sessions.ts';
import { changePassword, reauthenticate } from '#server/accounts/sign-in/account.ts';
import { listReauthenticationWays, unlinkIdentity } from '#server/accounts/sign-in/identities.ts';
import {
  addPasskey,
  makePasskeyOptions,
  makeProofOptions,
  provePasskey,
  removePasskey,
} from '#server/accounts/sign-in/passkeys.ts';
import { currentAddress, startSession } from '#server/accounts/sign-in/require.ts';

const Passwords = z.object({ current: z.string().min(1, 'required').max(1000, 'tooLong'), next: NewPassword });

/** Checks the password again, before an action that gives or takes access. */
export const reauthenticateAction = anySessionAction(
  z.object({ password: z.string().min(1, 'required').max(1000, 'tooLong') }),
  async (session, { password }) => {
    const reauthenticated = await reauthenticate(session, password, await currentAddress());
    if (reauthenticated === 'wrong-password') return refused({ password: 'wrong' });
    if (reauthenticated === 'provider-only') return refused({ form: 'providerOnly' });
    return reauthenticated === 'proved' ? done(null) : slowedDown(reauthenticated);
  },
);

/** Changes the password. Ends every other session of the account and renews this one. */
export const changePasswordAction = sessionAction(Passwords, async (session, { current, next }) => {
  const changed = await changePassword(session, current, next, await currentAddress());
  if (changed === 'wrong-password') return refused({ current: 'wrong' });
  // Where people must sign in with a provider, the page has no form. This request is from an older page.
  if (changed === 'provider-only') return refused({ form: 'failed' });
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

export const endBellAction = sessionAction(z.object({ id: Id }), async (session, { id }) =>
  doneIf((await endBell(session, id)) === 'ended', 'gone'),
);

/** Makes sure that the session is re-authenticated before the person leaves for a provider. */
export const prepareLinkAction = reauthenticatedSessionAction(z.null(), async () => done(null));

export const unlinkIdentityAction = reauthenticatedSessionAction(z.object({ id: Id }), async ({ account }, { id }) => {
  const unlinked = await unlinkIdentity(account, id);
  if (unlinked === 'unlinked') return done(null);
  return refused({ form: unlinked === 'only-way-in' ? 'onlyWayIn' : 'gone' });
});

/** Which account is signed in: its company and number, with a colon between. */
export const findAccountAction = sessionAction.within(null)(z.null(), async ({ account }) =>
  done(`${account.companyId}:${account.accountId}`),
);

/** How the signed-in account can prove again who it is: with a password, with which providers. */
export const listReauthenticationWaysAction = anySessionAction(z.null(), async ({ account }) =>
  done(await listReauthenticationWays(account)),
);

const Answer = z.string().max(16_384);

/** What the browser needs to ask for a passkey of the signed-in account; null when it has none. */
export const findPasskeyOptionsAction = anySessionAction(z.null(), async ({ account }) =>
  done(await makeProofOptions(account)),
);

/** Re-authenticates the session with a passkey, which is its second factor too. */
export const provePasskeyAction = anySessionAction(z.object({ answer: Answer }), async (session, { answer }) => {
  const proved = await provePasskey(session, answer, await currentAddress());
  if (proved === 'proved') return done(null);
  // For an account that needs a provider's proof, the passkey still counts as the second factor.
  if (proved === 'provider-only') return session.needsSecondFactor ? done(null) : refused({ form: 'providerOnly' });
  return proved === 'wrong-passkey' ? refused({ form: proved }) : slowedDown(proved);
});

/** What the browser needs to make a passkey for the signed-in account. */
export const startPasskeyAction = reauthenticatedAnySessionAction(z.null(), async ({ account }) =>
  done(await makePasskeyOptions(account)),
);

export const addPasskeyAction = reauthenticatedAnySessionAction(
  z.object({ name: label(120), answer: Answer }),
  async (session, { name, answer }) => doneOn('added', await addPasskey(session, name, answer)),
);

export const removePasskeyAction = reauthenticatedSessionAction(z.object({ id: Id }), async (session, { id }) =>
  doneOn('removed', await removePasskey(session, id)),
);
