import { sql } from '#db/client.ts';
import { asColumn, type Rows } from '#db/schema/rows.ts';
import { asKind, type Kind } from '#server/notifications/kinds.ts';
import { type Sound, sounds } from '#server/notifications/sounds.ts';
import type { Employee } from '#server/principals.ts';

/**
 * How a person is notified, in all their browsers. `hidePrivate` hides the text of private kinds;
 * it is on for people who never chose. `unreadFirst` sorts the inbox. Quiet hours are minutes of
 * the day (0–1439) in `quietTimeZone` (null: the company's); `quietFrom` after `quietUntil` spans
 * midnight. `silentUntil` is a moment. Quiet means no sound and no pop-up.
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

/** The person's preferences, or the defaults. */
export async function findPreferences({ companyId, employeeId }: Employee): Promise<Preferences> {
  const [row] = await sql()<(Omit<Preferences, 'mutedKinds'> & Pick<Rows['preferences'], 'mutedKinds'>)[]>`
    select muted_kinds as "mutedKinds", sound, coalesce(hide_private, true) as "hidePrivate", keep_pop_ups as "keepPopUps",
      unread_first as "unreadFirst",
      quiet_from as "quietFrom", quiet_until as "quietUntil", quiet_time_zone as "quietTimeZone",
      silent_until as "silentUntil"
    from preferences where company_id = ${companyId} and employee_id = ${employeeId}`;
  return row ? { ...row, mutedKinds: row.mutedKinds.map(asKind) } : defaults;
}

/** Changes the given preferences (`quietFrom` and `quietUntil` together). Returns all. */
export async function changePreferences(employee: Employee, changes: Partial<Preferences>): Promise<Preferences> {
  const { companyId, employeeId } = employee;
  const columns = Object.fromEntries(Object.entries(changes).map(([name, value]) => [asColumn(name), value]));
  await sql()`
    insert into preferences ${sql()({ company_id: companyId, employee_id: employeeId, ...columns })}
    on conflict (company_id, employee_id) do update set ${sql()(columns)}`;
  return findPreferences(employee);
}

/** Silences the person's browsers for some minutes; 0 ends it. Returns all preferences. */
export async function silence(employee: Employee, minutes: number): Promise<Preferences> {
  const { companyId, employeeId } = employee;
  await sql()`
    insert into preferences (company_id, employee_id, silent_until)
    values (${companyId}, ${employeeId}, now() + nullif(${minutes}, 0)::int * interval '1 minute')
    on conflict (company_id, employee_id) do update set silent_until = excluded.silent_until`;
  return findPreferences(employee);
}

/**
 * A condition over `preferences p` (null: never quiet) and `companies c`: the person is quiet at a
 * time. A test compares it with the rule for pages, `app/portal/live/quiet/quiet.ts`.
 */
export function quietCondition(time = sql()`now()`) {
  const minute = sql()`(extract(hour from ${time} at time zone coalesce(p.quiet_time_zone, c.time_zone)) * 60
    + extract(minute from ${time} at time zone coalesce(p.quiet_time_zone, c.time_zone)))`;
  return sql()`(coalesce(p.silent_until > ${time}, false) or coalesce(case when p.quiet_from <= p.quiet_until
    then ${minute} >= p.quiet_from and ${minute} < p.quiet_until
    else ${minute} >= p.quiet_from or ${minute} < p.quiet_until end, false))`;
}
