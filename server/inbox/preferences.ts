import { and, eq, sql as expression } from 'drizzle-orm';
import { db, sql } from '#db/client.ts';
import { preferences } from '#db/schema.ts';
import { asKind, type Kind } from '#server/notifications/kinds.ts';
import type { Employee } from '#server/principals.ts';

/**
 * How a person wants to be told, in all their browsers. `hidePrivate` is null until it was offered. Quiet hours are minutes of
 * the day (0–1439) in `quietTimeZone` (null: the company's); `quietFrom` after `quietUntil` passes midnight. `silentUntil` is a
 * moment. Quiet means no sound and no pop-up; notifications are kept and listed as always.
 */
export type Preferences = {
  mutedKinds: Kind[];
  hidePrivate: boolean | null;
  keepPopUps: boolean;
  shortcuts: boolean;
  quietFrom: number | null;
  quietUntil: number | null;
  quietTimeZone: string | null;
  silentUntil: Date | null;
};

const defaults: Preferences = {
  mutedKinds: [],
  hidePrivate: null,
  keepPopUps: false,
  shortcuts: true,
  quietFrom: null,
  quietUntil: null,
  quietTimeZone: null,
  silentUntil: null,
};

/** The person's preferences; all defaults when they never changed any. */
export async function findPreferences(employee: Employee): Promise<Preferences> {
  const mine = and(eq(preferences.companyId, employee.companyId), eq(preferences.employeeId, employee.employeeId));
  const [row] = await db().select().from(preferences).where(mine);
  if (!row) return defaults;
  const { companyId: _company, employeeId: _employee, mutedKinds, ...rest } = row;
  return { ...rest, mutedKinds: mutedKinds.map(asKind) };
}

/** Changes some preferences and answers all of them. `quietFrom` and `quietUntil` go together. */
export async function changePreferences(employee: Employee, changes: Partial<Preferences>): Promise<Preferences> {
  const { companyId, employeeId } = employee;
  if (Object.keys(changes).length > 0)
    await db()
      .insert(preferences)
      .values({ companyId, employeeId, ...changes })
      .onConflictDoUpdate({ target: [preferences.companyId, preferences.employeeId], set: changes });
  return findPreferences(employee);
}

/** Silence for so many minutes from now, by the database's clock, or none any more (0); answers all preferences. */
export async function beSilent(employee: Employee, minutes: number): Promise<Preferences> {
  const { companyId, employeeId } = employee;
  const silentUntil = minutes === 0 ? null : expression`now() + ${minutes} * interval '1 minute'`;
  await db()
    .insert(preferences)
    .values({ companyId, employeeId, silentUntil })
    .onConflictDoUpdate({ target: [preferences.companyId, preferences.employeeId], set: { silentUntil } });
  return findPreferences(employee);
}

/**
 * The rule of quiet as a condition of SQL, at a moment `at`, over `preferences p` (all null: never quiet) and `companies c`.
 * `app/portal/live/quiet/quiet.ts` holds the same for pages; one test compares the two.
 */
export function quietCondition(at = sql()`now()`) {
  const minute = sql()`(extract(hour from ${at} at time zone coalesce(p.quiet_time_zone, c.time_zone)) * 60
    + extract(minute from ${at} at time zone coalesce(p.quiet_time_zone, c.time_zone)))`;
  return sql()`(coalesce(p.silent_until > ${at}, false) or coalesce(case when p.quiet_from <= p.quiet_until
    then ${minute} >= p.quiet_from and ${minute} < p.quiet_until
    else ${minute} >= p.quiet_from or ${minute} < p.quiet_until end, false))`;
}
