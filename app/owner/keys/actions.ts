'use server';

import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { done, Id, label, optionalText, refused } from '#app/ui/forms/fields.ts';
import { ownerAction, reauthenticatedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { addMyself } from '#server/employees/employees.ts';
import { expectedIntervals, maxKeyNameLength } from '#server/keys/key-limits.ts';
import { createKey, editKey, revokeKey } from '#server/keys/keys.ts';

const Note = optionalText(500);
const NewKeyInput = z.object({
  name: label(maxKeyNameLength),
  note: Note.default(null),
  expiresOn: z.iso.date().nullable().default(null),
  replacedId: Id.optional(),
});

const formMessages: Record<string, Record<string, string>> = {
  'duplicate-name': { name: 'nameTaken' },
  'too-many-keys': { form: 'tooMany' },
  'day-is-past': { expiresOn: 'dayIsPast' },
  'no-such-key': { form: 'gone' },
  'already-replaced': { form: 'alreadyReplaced' },
};

/** Creates a key, also to replace another one. Returns the secret once; the service does not store it. */
export const createKeyAction = reauthenticatedOwnerAction.within('key')(
  NewKeyInput,
  async (owner, { replacedId, ...input }) => {
    const created = await createKey(owner, input, replacedId);
    return typeof created === 'string' ? refused(formMessages[created] ?? {}) : done({ ...created, name: input.name });
  },
);

export const revokeKeyAction = reauthenticatedOwnerAction(z.object({ id: Id }), async (owner, { id }) => {
  const revoked = await revokeKey(owner, id);
  return revoked === 'no-such-key' ? refused({ form: 'revokeGone' }) : done(null);
});

const Settings = z.object({
  id: Id,
  name: label(maxKeyNameLength),
  note: Note,
  mustConfirm: z.boolean(),
  expectedEveryMinutes: z.literal(expectedIntervals).nullable(),
  expiresOn: z.iso.date().nullable(),
});

const settingsMessages: Record<string, Record<string, string>> = {
  ...formMessages,
  reauthenticate: { form: 'prove-again' },
};

/** Changes a key's settings. Asks for the password before it changes the last valid day. */
export const editKeyAction = ownerAction(Settings, async (owner, { id, ...settings }) => {
  const reauthenticated = (await currentSession())?.reauthenticated === true;
  const edited = await editKey(owner, id, settings, { reauthenticated });
  return edited === 'edited' ? done(null) : refused(settingsMessages[edited] ?? {});
});

/** The owner's employee id for a test send, or null. With `true` the owner is added as an employee first. */
export const findTestRecipientAction = ownerAction(z.boolean(), async (owner, isAdding) => {
  if (!isAdding) return done({ employeeId: (await currentSession())?.employee?.employeeId ?? null });
  const t = await getTranslations('employees');
  const employeeId = await addMyself(owner, t('addMeRole'));
  return employeeId === 'already-employee' ? refused({ form: 'testInactive' }) : done({ employeeId });
});
