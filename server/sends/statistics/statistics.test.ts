import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { markAllRead, markRead, undoMarkAllRead } from '#server/inbox/read-state.ts';
import type { ApiKey, Employee } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { listRecipients } from '#server/sends/history/details.ts';
import {
  countCompany,
  countStatistics,
  findStatisticsSpan,
  listStatistics,
} from '#server/sends/statistics/statistics.ts';

const everything = { from: '2000-01', to: new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 7) };

// A company in a time zone in which the last hours belong to one day, at any time of the test.
async function makeCompanyByDay(): Promise<Company> {
  const company = await makeCompany();
  const isNight = (new Date().getUTCHours() + 7) % 24 < 4;
  const timeZone = isNight ? 'UTC' : company.owner.timeZone;
  await sql()`update companies set time_zone = ${timeZone} where id = ${company.owner.companyId}`;
  return { ...company, owner: { ...company.owner, timeZone } };
}

const keyOf = async (company: Company, name?: string) => principalOf(await company.newKey(name));

// Moves the time of a send to `hours` ago.
async function age({ companyId }: { companyId: number }, no: number, hours: number): Promise<void> {
  const at = sql()`now() - ${hours} * interval '1 hour'`;
  await sql()`update notifications set created_at = ${at} where company_id = ${companyId} and no = ${no}`;
}

const figures = ['sends', 'reach', 'readWithinHour', 'toConfirm', 'confirmed'] as const;
type Figure = (typeof figures)[number];

// The same figures by reading every recipient of every send, one after another.
async function countSlowly(company: Company, numbers: number[]) {
  let [reach, readWithinHour, confirmed] = [0, 0, 0];
  for (const no of numbers) {
    const [send] = await sql()<{ createdAt: Date }[]>`
      select created_at as "createdAt" from notifications where company_id = ${company.owner.companyId} and no = ${no}`;
    const { people } = await listRecipients(company.owner, no, { limit: 1000 });
    reach += people.length;
    confirmed += people.filter(({ confirmedAt }) => confirmedAt !== null).length;
    const until = Number(send?.createdAt) + 3_600_000;
    readWithinHour += people.filter(({ readAt }) => readAt && readAt.getTime() <= until).length;
  }
  return { reach, readWithinHour, confirmed };
}

test('the figures are those of a simple count, over every way to read', async () => {
  const [company, other] = [await makeCompanyByDay(), await makeCompany()];
  const [key, otherKey] = [await keyOf(company, 'Kasir'), await keyOf(other, 'Kasir')];
  const people: Employee[] = [];
  for (let n = 0; n < 6; n++) people.push(await company.hire(`Orang ${n}`));
  await other.hire();
  await sendNotification(otherKey, keyDraft, 'lain');
  for (let n = 0; n < 8; n++) await sendNotification(key, keyDraft, `minta-${n}`);
  await writeManualDraft(company, { mustConfirm: true });
  await writeManualDraft(company, toOne(people[0]?.employeeId ?? 0));
  // Ten sends of the last hours: the odd ones long ago, so that reading them now is too late.
  const { companyId } = company.owner;
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  for (const no of numbers) await age(company.owner, no, no % 2 ? 3 : 0.1);
  const [one, two, three, four] = people;
  if (!one || !two || !three || !four) throw new Error('nobody was hired');
  for (const no of [1, 2, 9, 10]) await markRead(one, no, true);
  await markAllRead(two, 6);
  await markAllRead(two, 9);
  await markRead(two, 4, false);
  await undoMarkAllRead(three, await markAllRead(three, 9));
  await markAllRead(three, 2);
  await markRead(four, 3, true);
  await markAllRead(four, 10);
  // The first mark was within the hour of the sends of three hours ago.
  await sql()`
    with ended as (delete from read_marks where company_id = ${companyId} and employee_id = ${two.employeeId} and up_to = 6)
    insert into read_marks (company_id, employee_id, up_to, at)
    values (${companyId}, ${two.employeeId}, 5, now() - interval '2 hours 30 minutes')`;
  await sql()`update receipts set confirmed_at = now() where company_id = ${companyId} and no = 9`;
  await company.deactivate(four);
  await countStatistics();

  const sums = await listStatistics(company.owner, everything);
  const ofKey = numbers.filter((no) => no <= 8);
  const expected = await countSlowly(company, ofKey);
  expect(expected.readWithinHour).toBeGreaterThan(5);
  expect(expected.readWithinHour).toBeLessThan(expected.reach);
  // Of the first sends nobody was asked to confirm. Two months may have some.
  const add = (name: Figure, keyId: number | null) =>
    sums.filter((sum) => sum.keyId === keyId).reduce((total, sum) => total + sum[name], 0);
  const figuresOf = (keyId: number | null) => Object.fromEntries(figures.map((name) => [name, add(name, keyId)]));
  expect(figuresOf(key.id)).toEqual({ ...expected, confirmed: 0, sends: 8, toConfirm: 0 });
  const hand = await countSlowly(company, [9, 10]);
  expect(hand.confirmed).toBe(1);
  expect(figuresOf(null)).toEqual({ ...hand, sends: 2, toConfirm: 6 });
  expect(sums.find(({ keyId }) => keyId === key.id)?.keyName).toBe('Kasir');
  const others = await listStatistics(other.owner, everything);
  expect(others).toMatchObject([{ keyId: otherKey.id, sends: 1, reach: 1, readWithinHour: 0 }]);
});

test('withdrawn sends and reminders do not count, also when a day was counted before', async ({ company, sender }) => {
  await company.hire();
  await sendNotification(sender, keyDraft, 'satu');
  await sendNotification(sender, keyDraft, 'dua');
  await sql()`insert into notifications (company_id, no, title, body, kind, reach, key_id, reminds_no)
    values (${company.owner.companyId}, 3, 'x', 'y', 'info', 1, ${sender.id}, 1)`;
  await countCompany(company.owner);
  expect(await listStatistics(company.owner, everything)).toMatchObject([{ sends: 2, reach: 2 }]);
  await withdrawNotification(company.owner, 2);
  await countCompany(company.owner);
  expect(await listStatistics(company.owner, everything)).toMatchObject([{ sends: 1, reach: 1 }]);
  await withdrawNotification(company.owner, 1);
  await countCompany(company.owner);
  expect(await listStatistics(company.owner, everything)).toEqual([]);
});

test('several machines that count at once, again and again, leave the figures of one count', async ({ company }) => {
  const [key, another] = [await keyOf(company), await keyOf(company)];
  const person = await company.hire();
  for (let n = 0; n < 5; n++) await sendNotification(n % 2 ? key : another, keyDraft, `minta-${n}`);
  await markAllRead(person, 5);
  await Promise.all(Array.from({ length: 6 }, () => countCompany(company.owner)));
  await countCompany(company.owner);
  const sums = await listStatistics(company.owner, everything);
  const of = (count: number) => ({ sends: count, reach: count, readWithinHour: count });
  expect(sums).toMatchObject([of(3), of(2)]);
});

test('figures of past months stay without their sends; days are of the own zone', async ({ company, companyId }) => {
  const key = await keyOf(company);
  await company.hire();
  // 00:30 on 1 August in Jakarta is still July in London.
  await sendAt(key, '2026-07-31T16:30:00Z');
  await sendAt(key, '2026-07-31T17:30:00Z');
  await sendNotification(key, keyDraft, 'hari ini');
  const due = { companyId, timeZone: 'Asia/Jakarta' };
  const [row] = await sql()<{ days: number }[]>`select (now()::date - date '2026-07-31')::int as days`;
  for (let counted = 0; counted <= (row?.days ?? 0); counted += 100) await countCompany(due);
  const months = async () =>
    (await listStatistics(company.owner, everything)).map(({ month, sends }) => [month, sends]).reverse();
  const before = await months();
  expect(before.slice(0, 2).flat()).toEqual(['2026-07', 1, '2026-08', 1]);
  expect(await findStatisticsSpan(company.owner)).toMatchObject({ first: '2026-07', countedAt: expect.any(Date) });
  await sql()`update companies set keep_notifications_days = 90 where id = ${companyId}`;
  await sql()`update notifications set created_at = created_at - interval '1 year'
    where company_id = ${companyId} and no < 3`;
  await deleteExpired();
  expect(await sql()`select no::int from notifications where company_id = ${companyId}`).toEqual([{ no: 3 }]);
  await countCompany(due);
  expect(await months()).toEqual(before);
  expect(await listStatistics(company.owner, { from: '2026-08', to: '2026-08' })).toMatchObject([{ month: '2026-08' }]);
});

// A send of the past, with the rows that it would have left.
async function sendAt(key: ApiKey, at: string, mustConfirm = false): Promise<void> {
  const { companyId } = key;
  const admin = openAdmin();
  await admin`
    with company as (
      update companies set last_no = last_no + 1 where id = ${companyId} returning last_no as no
    ), sent as (
      insert into notifications (company_id, no, title, body, kind, reach, key_id, must_confirm, created_at)
      select ${companyId}, no, 'x', 'y', 'info', 1, ${key.id}, ${mustConfirm}, ${at}::text::timestamptz from company
    )
    insert into audit_log (company_id, at, actor_kind, actor_id, actor_name, action, details, request_id, key_id)
    select ${companyId}, ${at}::text::timestamptz, 'key', ${key.id}, 'x', 'notification.send',
      jsonb_build_object('no', no), 'x', ${key.id} from company`;
  await admin.end();
}

test('a later confirmation is counted the next day, and a day without sends is counted once', async () => {
  const company = await makeCompanyByDay();
  const { companyId } = company.owner;
  const person = await company.hire();
  await sendAt(await keyOf(company), new Date(Date.now() - 5 * 24 * 3_600_000).toISOString(), true);
  await countCompany(company.owner);
  const confirmed = async () => (await listStatistics(company.owner, everything)).map((sum) => sum.confirmed);
  expect(await confirmed()).toEqual([0]);
  await sql()`insert into receipts (company_id, employee_id, no, read_at, confirmed_at)
    values (${companyId}, ${person.employeeId}, 1, now(), now())`;
  await countCompany(company.owner);
  expect(await confirmed()).toEqual([0]);
  await sql()`update send_statistics set counted_at = counted_at - interval '24 hours' where company_id = ${companyId}`;
  const counted = sql()`select day::text, counted_at from send_statistics
    where company_id = ${companyId} and key_id = 0 and counted_at < now() - interval '1 hour' order by day`;
  await countCompany(company.owner);
  expect(await confirmed()).toEqual([1]);
  // Between that day and today nothing was sent; those days stay as they were counted.
  expect((await counted).length).toBeGreaterThanOrEqual(3);
});
