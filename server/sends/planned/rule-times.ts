import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';

// More than two months, so that every schedule has a day.
const daysAhead = 70;

const dayOf = (timestamp: Fragment) => sql()`greatest(r.starts_on, (${timestamp} at time zone r.time_zone)::date)`;

// The times of a rule on a number of days from `first` on. PostgreSQL converts each day's time to a
// timestamp, so that a change to summer time keeps the time of day. A month without the rule's day
// uses its last day.
const timesOf = (first: Fragment, days: Fragment) => sql()`
  select (days.day + make_interval(mins => r.minute)) at time zone r.time_zone as at
  from (select ${first} + ahead as day from generate_series(0, ${days}) ahead) days
  where (r.ends_on is null or days.day <= r.ends_on)
    and (r.every <> 'week' or extract(isodow from days.day)::int = any(r.weekdays))
    and (r.every <> 'month' or extract(day from days.day)::int = least(r.month_day,
      extract(day from date_trunc('month', days.day::timestamp) + interval '1 month' - interval '1 day')::int))`;

/** SQL of the first time of the rule `r` after a timestamp, or null. */
export const nextTime = (after: Fragment) => sql()`(
  select min(found.at) from (${timesOf(dayOf(after), sql()`${daysAhead}::int`)}) found where found.at > ${after})`;

/** SQL that selects, as `at`, all times of the rule `r` after a timestamp and up to another one. */
export const timesBetween = (after: Fragment, until: Fragment) => sql()`
  select found.at from (${timesOf(dayOf(after), sql()`${dayOf(until)} - ${dayOf(after)}`)}) found
  where found.at > ${after} and found.at <= ${until}`;
