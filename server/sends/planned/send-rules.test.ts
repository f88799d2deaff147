import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db, sql } from '#db/client.ts';
import { sql as expression } from '#db/drizzle.cjs';
import { actionsOf, type Company } from '#e2e/support/data/company.ts';
import { daily, listTitles, makeDue, sendAllDue, sendWaiting } from '#e2e/support/data/plans-and-joins.ts';
import { content } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { removeOwner } from '#server/accounts/owners/owners.ts';
import { listAudit } from '#server/audit/list.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { sendDue } from '#server/sends/planned/due-sends.ts';
import { listPlanned } from '#server/sends/planned/planned-list.ts';
import { cancelPlanned, sendPlannedNow } from '#server/sends/planned/planned-sends.ts';
import {
  changeRule,
  endRule,
  makeRule,
  nextTime,
  type Schedule,
  timesBetween,
} from '#server/sends/planned/send-rules.ts';

const absen = { ...content, title: 'Absen', kind: 'absen' } as const;

// The times of a rule after a moment, one after another, in its zone.
async function listTimes(schedule: Partial<Schedule> & { zone?: string }, from: string, count: number) {
  const { zone = 'Asia/Jakarta' } = schedule;
  const times: string[] = [];
  let after = from;
  for (let n = 0; n < count; n++) {
    const [row] = await db().execute<{ at: string | null; local: string | null }>(expression`
      select at::text, to_char(at at time zone ${zone}, 'Dy YYYY-MM-DD HH24:MI') as local from (
        select ${nextTime(expression`${after}::text::timestamptz`)} as at from (${asRule(schedule)}) r) found`);
    if (!row?.at || !row.local) break;
    times.push(row.local);
    after = row.at;
  }
  return times;
}

const asRule = (schedule: Partial<Schedule> & { zone?: string }) => {
  const { every, weekdays, monthDay, time, startsOn, endsOn, zone = 'Asia/Jakarta' } = { ...daily, ...schedule };
  return expression`
    select ${every}::text as every, ${expression.param(weekdays)}::int[] as weekdays, ${monthDay}::int as month_day,
      (extract(epoch from ${time}::text::time) / 60)::int as minute, ${zone}::text as time_zone,
      ${startsOn}::text::date as starts_on, ${endsOn}::text::date as ends_on`;
};

test('the times between two moments are those that follow one another, without the first moment', async () => {
  const schedules: (Partial<Schedule> & { zone?: string })[] = [
    { endsOn: '2027-01-10' },
    { zone: 'Asia/Jayapura' },
    { zone: 'Europe/Berlin', time: '02:30' },
    { every: 'week', weekdays: [1, 6] },
    { every: 'month', monthDay: 31 },
    { startsOn: '2027-02-01' },
  ];
  const [from, to] = ['2026-12-01 01:00+00', '2027-04-01 01:00+00'];
  for (const schedule of schedules) {
    const { zone = 'Asia/Jakarta' } = schedule;
    const between = await db().execute<{ local: string; isIn: boolean }>(expression`
      select to_char(at at time zone ${zone}, 'Dy YYYY-MM-DD HH24:MI') as local,
        at > ${from}::text::timestamptz and at <= ${to}::text::timestamptz as "isIn"
      from (${asRule(schedule)}) r cross join lateral (
        ${timesBetween(expression`${from}::text::timestamptz`, expression`${to}::text::timestamptz`)}) found order by at`);
    expect(between.length).toBeGreaterThan(2);
    expect(between.every(({ isIn }) => isIn)).toBe(true);
    const following = await listTimes(schedule, from, between.length + 1);
    expect(between.map(({ local }) => local)).toEqual(following.slice(0, between.length));
    expect(await listTimes(schedule, to, 1)).toEqual(following.slice(between.length));
  }
});

const [zone, days] = ['Europe/Berlin', { startsOn: '2026-12-01', endsOn: '2026-12-02' }];
const weekly = { every: 'week', weekdays: [1, 6] } satisfies Partial<Schedule>;
const lastDay = { every: 'month', monthDay: 31 } satisfies Partial<Schedule>;
const cases: [what: string, Parameters<typeof listTimes>[0], from: string, times: string][] = [
  ['before 8 in Jakarta', {}, '2026-11-22 20:00+00', 'Mon 2026-11-23 08:00, Tue 2026-11-24 08:00'],
  ['later that day', { time: '12:00' }, '2026-11-23 02:00+00', 'Mon 2026-11-23 12:00'],
  ['after, not at', {}, '2026-11-23 01:00+00', 'Tue 2026-11-24 08:00'],
  ['in another zone', { zone: 'Asia/Jayapura' }, '2026-11-22 22:59+00', 'Mon 2026-11-23 08:00'],
  ['on weekdays', weekly, '2026-11-23 02:00+00', 'Sat 2026-11-28 08:00, Mon 2026-11-30 08:00'],
  ['on the last day', lastDay, '2027-01-31 02:00+00', 'Sun 2027-02-28 08:00, Wed 2027-03-31 08:00'],
  ['on the first day', { every: 'month', monthDay: 1 }, '2026-12-01 02:00+00', 'Fri 2027-01-01 08:00'],
  ['from its first day to its last', days, '2026-11-23 02:00+00', 'Tue 2026-12-01 08:00, Wed 2026-12-02 08:00'],
  ['over summer time', { zone }, '2026-03-28 12:00+00', 'Sun 2026-03-29 08:00, Mon 2026-03-30 08:00'],
  ['at no such time', { zone, time: '02:30' }, '2026-03-28 12:00+00', 'Sun 2026-03-29 03:30, Mon 2026-03-30 02:30'],
  ['at a time twice', { zone, time: '02:30' }, '2026-10-24 12:00+00', 'Sun 2026-10-25 02:30, Mon 2026-10-26 02:30'],
];
test.each(cases)('the times of a rule follow its days, in its zone: %s', async (what, schedule, from, times) => {
  const wanted = times.split(', ');
  expect(await listTimes(schedule, from, wanted.length + Number(schedule.endsOn !== undefined)), what).toEqual(wanted);
});

const make = async ({ owner }: Company, schedule: Partial<Schedule> = {}, draftId = randomUUID()) => {
  await makeRule(owner, { ...absen, draftId }, { ...daily, ...schedule });
  const { rules } = await listPlanned(owner);
  return rules[0]?.id ?? 0;
};

const listRuleActions = async (company: Company) =>
  (await actionsOf(company)).filter((action) => /^(plan|rule)/.test(action)).reverse();

test('a rule has one waiting send, and plans the next one when that leaves', async ({ company }) => {
  await company.hire();
  const draftId = randomUUID();
  const submit = () => makeRule(company.owner, { ...absen, draftId }, daily);
  expect(await submit()).toEqual({ leavesAt: expect.any(Date) });
  expect(await submit(), 'a second submit makes no second rule').toBe('made-before');
  for (let round = 1; round <= 3; round++) {
    await makeDue(company);
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    await sendAllDue(company);
    expect(await listTitles(company)).toHaveLength(round);
    const waiting = await sql()<{ ahead: number }[]>`
      select extract(epoch from leaves_at - now())::float8 as ahead from planned_sends
      where company_id = ${company.owner.companyId}`;
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.ahead).toBeGreaterThan(0);
    expect(waiting[0]?.ahead).toBeLessThanOrEqual(24 * 3600);
  }
  expect(await submit(), 'nor after its first one left').toBe('made-before');
  expect(await listRuleActions(company)).toEqual(['rule.create']);
});

test('a change is for this and all following; a skip for one; an end for all', async ({ company }) => {
  const id = await make(company);
  const [first] = (await listPlanned(company.owner)).rules;
  const later: Schedule = { ...daily, every: 'week', weekdays: [7], time: '09:30' };
  expect(await changeRule(company.owner, id, { ...absen, title: 'Rapat' }, later)).toHaveProperty('leavesAt');
  const [changed] = (await listPlanned(company.owner)).rules;
  expect(changed).toMatchObject({ title: 'Rapat', every: 'week', weekdays: [7], time: '09:30' });
  expect(changed?.nextDraftId).not.toBe(first?.nextDraftId);
  expect(await cancelPlanned(company.owner, first?.nextDraftId ?? '')).toBe('gone');
  expect(await cancelPlanned(company.owner, changed?.nextDraftId ?? '')).toBe('cancelled');
  const [skipped] = (await listPlanned(company.owner)).rules;
  const week = 7 * 24 * 3_600_000;
  expect(Number(skipped?.leavesAt)).toBe(Number(changed?.leavesAt) + week);
  expect(await sendPlannedNow(company.owner, skipped?.nextDraftId ?? '')).toMatchObject({ state: 'sent' });
  const [next] = (await listPlanned(company.owner)).rules;
  expect(Number(next?.leavesAt), 'what left early does not leave again').toBe(Number(skipped?.leavesAt) + week);
  expect(await endRule(company.owner, id)).toBe('ended');
  expect(await endRule(company.owner, id)).toBe('gone');
  expect(await changeRule(company.owner, id, absen, daily)).toBe('gone');
  await sendWaiting(company);
  expect(await listTitles(company)).toEqual(['Rapat']);
  expect(await listRuleActions(company)).toEqual(['rule.create', 'rule.edit', 'rule.skip', 'plan.send', 'rule.end']);
});

// A rule whose time of day is 12 hours away, so it never becomes due during the test.
const makeFarRule = (company: Company) => makeRuleIn(company, '12 hours');

async function makeRuleIn(company: Company, span: string): Promise<number> {
  const [row] = await sql()<{ time: string }[]>`
    select to_char((now() + ${span}::text::interval) at time zone ${company.owner.timeZone}, 'HH24:MI') as time`;
  return make(company, { time: row?.time });
}

const countMissed = async ({ owner }: Company) => {
  const sends = (await listPlanned(owner)).sends.filter(({ missedAt }) => missedAt !== null);
  return { before: sends.map(({ missedBefore }) => missedBefore), sends };
};

test('after an outage a rule asks about its newest missed time, and goes on', async ({ company, other }) => {
  await company.hire();
  await makeFarRule(company);
  await makeFarRule(other);
  await makeDue(company, '5 days');
  await Promise.all([sendDue(), sendDue(), sendDue()]);
  await sendAllDue(company);
  const { before, sends } = await countMissed(company);
  expect([before, await listTitles(company)]).toEqual([[5], []]);
  expect(sends[0]?.reason).toBe('late');
  const hoursAgo = (Date.now() - Number(sends[0]?.leavesAt)) / 3_600_000;
  expect([hoursAgo > 1, hoursAgo <= 25]).toEqual([true, true]);
  const { rules } = await listPlanned(company.owner);
  expect(Number(rules[0]?.leavesAt)).toBeGreaterThan(Date.now());
  expect((await countMissed(other)).before).toEqual([]);
  const isMiss = { action: 'plan.miss', details: { leftOut: 5 } };
  expect((await listAudit(company.owner, { filter: { action: 'plan.miss' } })).entries).toMatchObject([isMiss]);
  // Nobody decided before the next outage.
  await sendWaiting(company, '3 days');
  const { before: together, sends: later } = await countMissed(company);
  expect(together).toEqual([9]);
  expect(await sendPlannedNow(company.owner, later[0]?.draftId ?? '')).toMatchObject({ state: 'sent' });
  expect((await listPlanned(company.owner)).rules).toHaveLength(1);
});

test('what a rule missed within the last hour leaves at once, and nobody is asked about it', async ({ company }) => {
  await company.hire();
  await makeRuleIn(company, '-30 minutes');
  await sendWaiting(company, '2 days');
  expect(await listTitles(company)).toEqual(['Absen']);
  expect((await countMissed(company)).before, 'that of yesterday, and the first one').toEqual([1]);
});

test('what a rule missed is discarded together, that of another rule stays', async ({ company, other }) => {
  const id = await makeFarRule(company);
  await sendWaiting(company, '2 days');
  await makeFarRule(company);
  await sendWaiting(company, '1 day');
  const { sends } = await countMissed(company);
  const missed = sends.find(({ ruleId }) => ruleId === id)?.draftId ?? '';
  expect(await cancelPlanned(other.owner, missed)).toBe('gone');
  expect(await cancelPlanned(company.owner, missed)).toBe('cancelled');
  expect(await cancelPlanned(company.owner, missed)).toBe('gone');
  expect((await countMissed(company)).sends.map(({ ruleId }) => ruleId !== id)).toEqual([true]);
  expect((await listPlanned(company.owner)).rules, 'the rules go on').toHaveLength(2);
  expect((await listRuleActions(company)).filter((action) => action === 'plan.cancel')).toHaveLength(1);
});

test('a rule of a former manager counts what it missed, however long nobody looks', async ({ company, manager }) => {
  await company.hire();
  await makeRule(manager, { ...absen, draftId: randomUUID() }, daily);
  await removeOwner(company.owner, manager.accountId, 'manager');
  for (let day = 0; day < 9; day++) await sendWaiting(company);
  const { before, sends } = await countMissed(company);
  expect([before, sends[0]?.reason]).toEqual([[8], 'sender']);
  const [rule] = (await listPlanned(company.owner)).rules;
  expect(rule?.isSenderGone).toBe(true);
  await changeRule(company.owner, rule?.id ?? 0, { ...absen, title: 'Diambil alih' }, daily);
  await sendWaiting(company);
  expect((await listSends(company.owner)).sends).toMatchObject([{ title: 'Diambil alih', sender: 'Pemilik Uji' }]);
});

test('a rule ends with its last day, and one without any time is refused', async ({ company }) => {
  await company.hire();
  await make(company, { endsOn: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10) });
  await makeDue(company, '-1 day');
  await sql()`update planned_sends set leaves_at = now() where company_id = ${company.owner.companyId}`;
  await sql()`update send_rules set ends_on = current_date - 1 where company_id = ${company.owner.companyId}`;
  await sendAllDue(company);
  expect(await listTitles(company)).toEqual(['Absen']);
  expect((await listPlanned(company.owner)).rules).toEqual([]);
  expect(await listRuleActions(company)).toEqual(['rule.create', 'rule.end']);
  const past = { ...daily, endsOn: '2026-01-31' };
  expect(await makeRule(company.owner, { ...absen, draftId: randomUUID() }, past)).toBe('never');
  const left = await sql()`select from send_rules where company_id = ${company.owner.companyId} and ended_at is null`;
  expect(left, 'nothing of a refused rule stays').toHaveLength(0);
});

test('changes and departures of one rule at once neither stop each other nor send twice', async ({ company }) => {
  await company.hire();
  const id = await make(company);
  const change = (title: string) => changeRule(company.owner, id, { ...absen, title }, daily);
  for (let round = 0; round < 10; round++) {
    await makeDue(company);
    await Promise.all([sendDue(), change(`Absen ${round}`), sendDue(), change(`Rapat ${round}`)]);
    await sendAllDue(company);
    const waiting = await sql()`
      select from planned_sends where company_id = ${company.owner.companyId} and rule_id = ${id} and undone_at is null`;
    expect(waiting).toHaveLength(1);
  }
  const sent = await listTitles(company);
  expect(sent.length, 'each round at most once').toBeLessThanOrEqual(10);
  const sends = (await actionsOf(company)).filter((action) => action === 'notification.send');
  expect(sends).toHaveLength(sent.length);
});
