'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { expectations } from '#app/owner/keys/expectations.ts';
import { done, Id, label, refused } from '#app/ui/forms/fields.ts';
import { ownerAction, provedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { currentSession } from '#server/accounts/require.ts';
import { addMyself } from '#server/employees/employees.ts';
import { editKey } from '#server/keys/key-settings.ts';
import { createKey, replaceKey, revokeKey } from '#server/keys/keys.ts';

const Note = z
  .string()
  .trim()
  .transform((text) => text || null)
  .pipe(label(500).nullable());
const NewKey = z.object({ name: label(60), note: Note.default(null) });

const problems: Record<string, Record<string, string>> = {
  'duplicate-name': { name: 'nameTaken' },
  'too-many-keys': { form: 'tooMany' },
  'no-such-key': { form: 'gone' },
  'already-replaced': { form: 'alreadyReplaced' },
};

/** Makes a key; its text is in this answer and nowhere else. */
export const createKeyAction = provedOwnerAction(NewKey, async (owner, wanted) => {
  const made = await createKey(owner, wanted);
  return typeof made === 'string' ? refused(problems[made] ?? {}) : done({ ...made, name: wanted.name });
});

/** Makes a key that is to take the place of another; both work until that one is revoked. */
export const replaceKeyAction = provedOwnerAction(NewKey.extend({ id: Id }), async (owner, { id, ...wanted }) => {
  const made = await replaceKey(owner, id, wanted);
  return typeof made === 'string' ? refused(problems[made] ?? {}) : done({ ...made, name: wanted.name });
});

/** Revokes a key at once. */
export const revokeKeyAction = provedOwnerAction(z.object({ id: Id }), async (owner, { id }) => {
  const revoked = await revokeKey(owner, id);
  revalidatePath('/owner/keys');
  return revoked === 'no-such-key' ? refused({ form: 'revokeGone' }) : done(null);
});

const Settings = z.object({
  ...{ id: Id, note: Note, mustConfirm: z.boolean() },
  expectedEveryMinutes: z.literal(expectations).nullable(),
});

/** Changes the note of a key, and what the owner expects of it. */
export const editKeyAction = ownerAction(Settings, async (owner, { id, ...settings }) => {
  const edited = await editKey(owner, id, settings);
  revalidatePath('/owner/keys');
  return edited === 'no-such-key' ? refused({ form: 'gone' }) : done(null);
});

/** The employee id that a test for the owner at hand goes to, or null while they are no active employee. */
export const findTestRecipientAction = ownerAction(z.null(), async () => {
  const session = await currentSession();
  return done({ employeeId: session?.employee?.employeeId ?? null });
});

/** Makes the owner an employee, so that a test can reach them. */
export const joinForTestAction = ownerAction(z.null(), async (owner) => {
  const t = await getTranslations('employees');
  const employeeId = await addMyself(owner, t('addMeRole'));
  return employeeId === 'already-employee' ? refused({ form: 'testInactive' }) : done({ employeeId });
});
