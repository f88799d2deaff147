'use server';

import { z } from 'zod';
import { done, TimeZone } from '#app/ui/forms/fields.ts';
import { employeeAction } from '#app/ui/forms/guarded-action.ts';
import { changePreferences, silence } from '#server/inbox/preferences.ts';
import { kinds } from '#server/notifications/kinds.ts';
import { sounds } from '#server/notifications/sounds.ts';

const MinuteOfDay = z.int().min(0).max(1439);
const PreferenceChanges = z
  .object({
    mutedKinds: z.array(z.enum(kinds)).max(kinds.length),
    sound: z.enum(sounds),
    hidePrivate: z.boolean(),
    keepPopUps: z.boolean(),
    shortcuts: z.boolean(),
    unreadFirst: z.boolean(),
    quietFrom: MinuteOfDay.nullable(),
    quietUntil: MinuteOfDay.nullable(),
    quietTimeZone: TimeZone.nullable(),
  })
  .partial()
  .refine(({ quietFrom, quietUntil }) => (quietFrom == null) === (quietUntil == null), {
    error: 'invalid',
    path: ['quietFrom'],
  })
  .refine(({ quietFrom, quietUntil }) => quietFrom == null || quietFrom !== quietUntil, {
    error: 'invalid',
    path: ['quietUntil'],
  });

/** Changes some of the employee's preferences. Returns all of them. */
export const changePreferencesAction = employeeAction(PreferenceChanges, async (employee, changes) =>
  done(await changePreferences(employee, changes)),
);

/**
 * Silences sound and pop-ups for a number of minutes from now; 0 ends the silence. Returns all
 * preferences.
 */
export const silenceAction = employeeAction(
  z.object({ minutes: z.int().min(0).max(1440) }),
  async (employee, { minutes }) => done(await silence(employee, minutes)),
);
