'use server';

import { z } from 'zod';
import { done, doneIf, doneOn, Id, PushSubscriptionFields, refused } from '#app/ui/forms/fields.ts';
import { ownerAction, ownerSessionAction } from '#app/ui/forms/guarded-action.ts';
import { changeAlarmSettings, dismissAlarm } from '#server/keys/alarms.ts';
import { addOwnerDevice, removeOwnerDevice, testOwnerDevice } from '#server/push/owner-devices.ts';
import { withdrawRepeats } from '#server/sends/history/changes.ts';

const Source = z.union([z.object({ keyId: Id }), z.object({ accountId: Id })]);
const AlarmInput = Source.and(
  z.object({ kind: z.enum(['repeated-broadcast', 'silent-key', 'denied-requests', 'links-changed']) }),
);

export const dismissAlarmAction = ownerAction(AlarmInput, async (owner, { kind, ...source }) =>
  doneIf((await dismissAlarm(owner, kind, source)) === 'dismissed', 'alarmGone'),
);

/** Withdraws the sends that the alarm of a key or person is about. Returns how many. */
export const withdrawRepeatsAction = ownerAction(Source, async (owner, source) => {
  const count = await withdrawRepeats(owner, source);
  return count > 0 ? done({ count }) : refused({ form: 'alarmGone' });
});

export const changeAlarmSettingsAction = ownerAction(
  z.object({ warnOfRepeats: z.boolean(), warnOfSilence: z.boolean() }).partial(),
  async (owner, changes) => done(await changeAlarmSettings(owner, changes)),
);

const DeviceInput = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/, 'invalid') });

/** Subscribes this device; with `renews` again, after a new sign-in in the same browser. */
export const addAlarmDeviceAction = ownerSessionAction(
  PushSubscriptionFields.extend({ renews: z.boolean().optional() }),
  async (session, { renews, ...subscription }) =>
    doneOn('added', await addOwnerDevice(session, subscription, renews ? 'renewed' : 'asked')),
);

export const removeAlarmDeviceAction = ownerAction(DeviceInput, async (owner, { id }) =>
  doneIf((await removeOwnerDevice(owner, id)) === 'removed', 'deviceGone'),
);

/** Sends a test to one of the owner's devices. Returns what its push service answered. */
export const testAlarmDeviceAction = ownerAction.within('testPush')(DeviceInput, async (owner, { id }) => {
  const outcome = await testOwnerDevice(owner, id);
  return outcome === 'no-such-device' ? refused({ form: 'deviceGone' }) : done(outcome);
});
