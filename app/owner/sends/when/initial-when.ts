import type { When } from '#app/owner/sends/when/when-fields.tsx';
import type { PlannedSend, SendRule } from '#server/sends/planned/planned-list.ts';

const dayMs = 24 * 60 * 60 * 1000;

// The Swedish date format is ISO 8601.
const dayOf = (timestamp: Date, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(timestamp);

/** The first values of the fields for a time: tomorrow at 8 in the company's zone. */
export function initialWhen(timeZone: string): When {
  const date = dayOf(new Date(Date.now() + dayMs), timeZone);
  const day = new Date(`${date}T00:00Z`);
  const weekdays = [day.getUTCDay() || 7];
  return { mode: 'now', date, time: '08:00', every: 'week', weekdays, monthDay: day.getUTCDate(), endsOn: '' };
}

/** The time of a planned send. One that was missed begins with the next hours. */
export function whenOfPlan({ localTime, missedAt }: PlannedSend, timeZone: string): When {
  const when: When = { ...initialWhen(timeZone), mode: 'later' };
  if (missedAt) return when;
  const [date = when.date, time = when.time] = localTime.split('T');
  return { ...when, date, time };
}

/** The times of a rule. */
export function whenOfRule({ every, weekdays, monthDay, time, startsOn, endsOn }: SendRule, timeZone: string): When {
  const when = initialWhen(timeZone);
  return {
    mode: 'repeat',
    date: startsOn,
    time,
    every,
    weekdays: weekdays.length > 0 ? weekdays : when.weekdays,
    monthDay: monthDay ?? when.monthDay,
    endsOn: endsOn ?? '',
  };
}
