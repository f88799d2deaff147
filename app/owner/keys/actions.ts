'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, label, refused } from '#app/fields.ts';
import { ownerAction } from '#app/guarded-action.ts';
import { createKey, revokeKey } from '#server/keys.ts';

const Id = z.int().positive().max(2_147_483_647);

/** Makes a key; its text is in this answer and nowhere else. */
export const createKeyAction = ownerAction(z.object({ name: label(60) }), async (owner, { name }) => {
  const made = await createKey(owner, name);
  if (made === 'duplicate-name') return refused({ name: 'nameTaken' });
  return done({ key: made.key, name });
});

/** Revokes a key at once. */
export const revokeKeyAction = ownerAction(z.object({ id: Id }), async (owner, { id }) => {
  const revoked = await revokeKey(owner, id);
  revalidatePath('/owner/keys');
  return revoked === 'no-such-key' ? refused({ form: 'revokeGone' }) : done(null);
});
