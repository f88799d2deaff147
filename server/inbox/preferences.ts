import { db, matches, type Rows } from '#db/client.ts';
import { alias, type SQL, sql } from '#db/drizzle.cjs';
import { companies, preferences } from '#db/schema/tables.ts';
import { asKind, type Kind, type Sound, sounds } from '#server/notifications/kinds.ts';
import type { Employee } from '#server/principals.ts';

/**
 * How a person is notified, in all browsers. `hidePrivate`: the text of private kinds. Quiet hours, without sound and
 * pop-up, are minutes of the day in `quietTimeZone` (null: the company's), also over midnight.
 */
export type Preferences = Omit<
  Rows['preferences'],
  'companyId' | 'employeeId' | 'mutedKinds' | 'sound' | 'hidePrivate' | 'shortcuts'
> & { mutedKinds: Kind[]; sound: Sound; hidePrivate: boolean };

const defaults: Preferences = {
  mutedKinds: [],
  sound: sounds[0],
  hidePrivate: true,
  keepPopUps: false,
  unreadFirst: false,
  quietFrom: null,
  quietUntil: null,
  quietTimeZone: null,
  silentUntil: null,
};

export async function findPreferences({ companyId, employeeId }: Employee): Promise<Preferences> {
  const { mutedKinds, keepPopUps, unreadFirst, quietFrom, quietUntil, quietTimeZone, silentUntil } = preferences;
  const quiet = { quietFrom, quietUntil, quietTimeZone, silentUntil };
  const sound = sql<Sound>`${preferences.sound}`;
  const hidePrivate = sql<boolean>`coalesce(${preferences.hidePrivate}, true)`;
  const [row] = await db()
    .select({ mutedKinds, sound, hidePrivate, keepPopUps, unreadFirst, ...quiet })
    .from(preferences)
    .where(matches(preferences, { companyId, employeeId }));
  return row ? { ...row, mutedKinds: row.mutedKinds.map(asKind) } : defaults;
}

/** Changes the given preferences (`quietFrom` and `quietUntil` together). Returns all. */
export async function changePreferences(
  employee: Employee,
  changes: { [Name in keyof Preferences]?: Preferences[Name] | SQL },
): Promise<Preferences> {
  const { companyId, employeeId } = employee;
  const values = { companyId, employeeId, ...changes } as typeof preferences.$inferInsert;
  const target = [preferences.companyId, preferences.employeeId];
  await db().insert(preferences).values(values).onConflictDoUpdate({ target, set: changes });
  return findPreferences(employee);
}

/** Silences the person's browsers for some minutes; 0 ends it. Returns all preferences. */
export const silence = (employee: Employee, minutes: number): Promise<Preferences> =>
  changePreferences(employee, { silentUntil: sql`now() + nullif(${minutes}, 0)::int * interval '1 minute'` });

const p = alias(preferences, 'p');
const c = alias(companies, 'c');

/**
 * A condition over `preferences p` (null: never quiet) and `companies c`: the person is quiet at a time. A test
 * compares it with `app/portal/live/quiet/quiet.ts`.
 */
export function quietCondition(time: SQL = sql`now()`): SQL<boolean> {
  const local = sql`${time} at time zone coalesce(${p.quietTimeZone}, ${c.timeZone})`;
  const minute = sql`(extract(hour from ${local}) * 60 + extract(minute from ${local}))`;
  return sql`(coalesce(${p.silentUntil} > ${time}, false) or coalesce(case when ${p.quietFrom} <= ${p.quietUntil}
    then ${minute} >= ${p.quietFrom} and ${minute} < ${p.quietUntil}
    else ${minute} >= ${p.quietFrom} or ${minute} < ${p.quietUntil} end, false))`;
}
