'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { ownerAction } from '#app/ui/forms/guarded-action.ts';
import { changeAlarmSettings, dismissAlarm } from '#server/keys/alarms.ts';
import { withdrawRepeats } from '#server/sends/withdraw.ts';

const AlarmInput = z.object({ kind: z.enum(['repeated-broadcast', 'silent-key']), keyId: Id });

/** Dismisses an alarm. */
export const dismissAlarmAction = ownerAction(AlarmInput, async (owner, { kind, keyId }) => {
  const dismissed = await dismissAlarm(owner, kind, keyId);
  return dismissed === 'dismissed' ? done(null) : refused({ form: 'alarmGone' });
});

/** Withdraws the sends that the alarm of a key is about. Returns how many. */
export const withdrawRepeatsAction = ownerAction(z.object({ keyId: Id }), async (owner, { keyId }) => {
  const count = await withdrawRepeats(owner, keyId);
  revalidatePath('/owner', 'layout');
  return count > 0 ? done({ count }) : refused({ form: 'alarmGone' });
});

/** Switches the kinds of alarm on or off that the input names. */
export const changeAlarmSettingsAction = ownerAction(
  z
    .object({ warnOfRepeats: z.boolean(), warnOfSilence: z.boolean() })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'required'),
  async (owner, changes) => done(await changeAlarmSettings(owner, changes)),
);
