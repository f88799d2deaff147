import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { changePreferences, findPreferences, silence } from '#server/inbox/preferences.ts';

test('a change of some preferences keeps the other ones and those of other employees', async () => {
  const { hire } = await makeCompany();
  const [employee, other] = [await hire(), await hire()];
  const defaults = await findPreferences(employee);
  expect(defaults).toMatchObject({ hidePrivate: true });
  const quiet = { quietFrom: 1320, quietUntil: 360, quietTimeZone: 'Asia/Jayapura' };
  expect(await changePreferences(employee, quiet)).toEqual({ ...defaults, ...quiet });
  const muted = { mutedKinds: ['gaji' as const, 'info' as const], hidePrivate: false };
  expect(await changePreferences(employee, muted)).toEqual({ ...defaults, ...quiet, ...muted });
  expect(await changePreferences(employee, { quietTimeZone: null })).toMatchObject({ quietTimeZone: null, ...muted });
  const { silentUntil } = await silence(employee, 60);
  expect(silentUntil?.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
  expect(await silence(employee, 0)).toMatchObject({ silentUntil: null, quietFrom: 1320 });
  expect(await findPreferences(other)).toEqual(defaults);
  // A person who changed only other preferences keeps the default of this one.
  expect(await changePreferences(other, { keepPopUps: true })).toEqual({ ...defaults, keepPopUps: true });
});
