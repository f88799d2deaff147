import type { FormDraft } from '#app/owner/sends/new/form-draft.ts';
import type { When } from '#app/owner/sends/when/when-fields.tsx';
import { dayMs, isoDayOf } from '#app/ui/text/times.ts';
import { findSettings } from '#server/audit/record.ts';
import { findMustConfirmKinds } from '#server/companies/companies.ts';
import type { Manager } from '#server/principals.ts';
import type { DraftContent } from '#server/sends/drafts.ts';
import { countRoles, findPeople, findPossibleRecipient } from '#server/sends/manual/possible-recipients.ts';
import { findPicture } from '#server/sends/pictures/pictures.ts';
import type { PlannedSend, SendRule } from '#server/sends/planned/planned-list.ts';

/** Fills the form with what is stored, and the picture `of` it. Who is not in the company any more is left out. */
export async function asFormDraft(
  manager: Manager,
  { recipients, kind, title, body, url, mustConfirm, answers }: DraftContent,
  of: { no: number } | { draftId: string } | null = null,
): Promise<FormDraft> {
  const [recipient, people, picture] = await Promise.all([
    recipients.to === 'one' ? findPossibleRecipient(manager, recipients.employeeId) : null,
    recipients.to === 'people' ? findPeople(manager, recipients.employeeIds) : [],
    of && findPicture(manager, of),
  ]);
  return {
    to: recipients.to,
    recipient,
    roles: recipients.to === 'roles' ? recipients.roles : [],
    people,
    kind,
    title,
    body,
    url: url ?? '',
    mustConfirm,
    picture: picture?.draftId ?? null,
    answers: answers ?? [],
  };
}

export type FormChoices = Awaited<ReturnType<typeof findFormChoices>>;

export async function findFormChoices(manager: Manager) {
  const [{ activeEmployees: active }, roles, mustConfirmKinds] = await Promise.all([
    findSettings(manager, ['activeEmployees']),
    countRoles(manager),
    findMustConfirmKinds(manager),
  ]);
  return { active, roles, mustConfirmKinds, sender: manager.name };
}

/** The first values of the fields for a time: tomorrow at 8 in the company's zone. */
export function initialWhen(timeZone: string): When {
  const date = isoDayOf(new Date(Date.now() + dayMs), timeZone);
  const day = new Date(`${date}T00:00Z`);
  const weekdays = [day.getUTCDay() || 7];
  return { mode: 'now', date, time: '08:00', every: 'week', weekdays, monthDay: day.getUTCDate(), endsOn: '' };
}

/** The time of a planned send. One that was missed begins with the first values. */
export function whenOfPlan({ localTime, missedAt }: PlannedSend, timeZone: string): When {
  const when: When = { ...initialWhen(timeZone), mode: 'later' };
  const [date = when.date, time = when.time] = missedAt ? [] : localTime.split('T');
  return { ...when, date, time };
}

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
