'use server';

import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { done, doneIf, Id, label, optionalText, refused } from '#app/ui/forms/fields.ts';
import { ownerAction, reauthenticatedOwnerAction } from '#app/ui/forms/guarded-action.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { addMyself } from '#server/employees/employees.ts';
import { expectedIntervals, maxKeyNameLength } from '#server/keys/key-limits.ts';
import { createKey, editKey, revokeKey } from '#server/keys/keys.ts';

const KeyInput = z.object({
  name: label(maxKeyNameLength),
  note: optionalText(500),
  expiresOn: z.iso.date().nullable(),
});

const problems = {
  'duplicate-name': { name: 'nameTaken' },
  'too-many-keys': { form: 'tooMany' },
  'day-is-past': { expiresOn: 'dayIsPast' },
  'no-such-key': { form: 'gone' },
  'already-replaced': { form: 'alreadyReplaced' },
  reauthenticate: { form: 'prove-again' },
};

/** Creates a key, also to replace another one. Returns the secret once; the service does not store it. */
export const createKeyAction = reauthenticatedOwnerAction.within('key')(
  KeyInput.extend({ replacedId: Id.optional() }),
  async (owner, { replacedId, ...input }) => {
    const created = await createKey(owner, input, replacedId);
    return typeof created === 'string' ? refused(problems[created]) : done({ ...created, name: input.name });
  },
);

export const revokeKeyAction = reauthenticatedOwnerAction(z.object({ id: Id }), async (owner, { id }) =>
  doneIf((await revokeKey(owner, id)) !== 'no-such-key', 'revokeGone'),
);

const Settings = KeyInput.extend({
  id: Id,
  mustConfirm: z.boolean(),
  expectedEveryMinutes: z.literal(expectedIntervals).nullable(),
});

/** Changes a key's settings. Asks for the password before it changes the last valid day. */
export const editKeyAction = ownerAction(Settings, async (owner, { id, ...settings }) => {
  const reauthenticated = (await currentSession())?.reauthenticated === true;
  const edited = await editKey(owner, id, settings, { reauthenticated });
  return edited === 'edited' ? done(null) : refused(problems[edited]);
});

/** The owner's employee id for a test send, or null. With `true` the owner is added as an employee first. */
export const findTestRecipientAction = ownerAction(z.boolean(), async (owner, isAdding) => {
  if (!isAdding) return done({ employeeId: (await currentSession())?.employee?.employeeId ?? null });
  const t = await getTranslations('employees');
  const employeeId = await addMyself(owner, t('addMeRole'));
  return employeeId === 'already-employee' ? refused({ form: 'testInactive' }) : done({ employeeId });
});
