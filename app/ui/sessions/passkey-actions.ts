'use server';

import { z } from 'zod';
import { done, Id, label, refused, slowedDown } from '#app/ui/forms/fields.ts';
import {
  anySessionAction,
  reauthenticatedAnySessionAction,
  reauthenticatedSessionAction,
} from '#app/ui/forms/guarded-action.ts';
import {
  addPasskey,
  makePasskeyOptions,
  makeProofOptions,
  provePasskey,
  removePasskey,
} from '#server/accounts/sign-in/passkeys.ts';
import { currentAddress } from '#server/accounts/sign-in/require.ts';

const Answer = z.string().max(16_384);

/** What the browser needs to ask for a passkey of the signed-in account; null when it has none. */
export const findPasskeyOptionsAction = anySessionAction(z.null(), async ({ account }) =>
  done(await makeProofOptions(account)),
);

/** Re-authenticates the session with a passkey, which is its second factor too. */
export const provePasskeyAction = anySessionAction(z.object({ answer: Answer }), async (session, { answer }) => {
  const proved = await provePasskey(session, answer, await currentAddress());
  if (proved === 'proved') return done(null);
  return proved === 'wrong-passkey' ? refused({ form: 'wrong-passkey' }) : slowedDown(proved);
});

/** What the browser needs to make a passkey for the signed-in account. */
export const startPasskeyAction = reauthenticatedAnySessionAction(z.null(), async ({ account }) =>
  done(await makePasskeyOptions(account)),
);

export const addPasskeyAction = reauthenticatedAnySessionAction(
  z.object({ name: label(120), answer: Answer }),
  async (session, { name, answer }) => {
    const added = await addPasskey(session, name, answer);
    return added === 'added' ? done(null) : refused({ form: added });
  },
);

export const removePasskeyAction = reauthenticatedSessionAction(z.object({ id: Id }), async (session, { id }) => {
  const removed = await removePasskey(session, id);
  return removed === 'removed' ? done(null) : refused({ form: removed });
});
