import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { archive } from '#server/inbox/archive.ts';
import { listBack, listInbox, listSenders } from '#server/inbox/inbox.ts';
import { changePreferences } from '#server/inbox/preferences.ts';
import { confirmNotification } from '#server/inbox/read-state.ts';
import { snooze } from '#server/inbox/snooze.ts';
import { countToConfirm, countUnread } from '#server/inbox/unread.ts';
import type { Employee, Session } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';

async function makeInbox() {
  const company = await makeCompany();
  const key = await principalOf(await company.newKey());
  const employee = await company.hire();
  const send = async (title: string, body = 'Isi') => {
    await sendNotification(key, { ...keyDraft, ...toOne(employee.employeeId), title, body }, 'put-away');
  };
  const order = (title: string) => writeManualDraft(company, { title, mustConfirm: true });
  return { ...company, key, employee, send, order };
}

const titles = async (employee: Employee, filter: NonNullable<Parameters<typeof listInbox>[1]>['filter']) =>
  (await listInbox(employee, { filter })).items.map(({ title }) => title);

test('a search finds words in any order, parts of words, any case, Indonesian and emoji', async () => {
  const { employee, send } = await makeInbox();
  await send('Slip GAJI Oktober', 'Sudah bisa dilihat 🎉');
  await send('Jadwal giliran', 'Mulai hari Jumat, Kafé lantai 2');
  for (const [search, found] of [
    ['oktober slip', ['Slip GAJI Oktober']],
    ['  lihat   aji ', ['Slip GAJI Oktober']],
    ['🎉 gaji', ['Slip GAJI Oktober']],
    ['🎉', ['Slip GAJI Oktober']],
    ['KAFÉ giliran', ['Jadwal giliran']],
    ['gaji giliran', []],
    ['100%', []],
    ['i', ['Jadwal giliran', 'Slip GAJI Oktober']],
  ] as const)
    expect([search, await titles(employee, { search })]).toEqual([search, found]);
});

test('an inbox lists its senders, and those of one of them', async () => {
  const { employee, send, order, owner } = await makeInbox();
  const stranger = await makeInbox();
  await stranger.send('Bukan milik Anda');
  await send('Dari kunci');
  await order('Dari pemilik');
  const senders = await listSenders(employee);
  const ofPerson = senders.find(({ id }) => 'accountId' in id)?.id;
  expect(ofPerson).toEqual({ accountId: owner.accountId });
  expect(await titles(employee, { sender: ofPerson })).toEqual(['Dari pemilik']);
  expect(await titles(employee, { sender: senders.find(({ id }) => 'keyId' in id)?.id })).toEqual(['Dari kunci']);
  expect(await titles(stranger.employee, { sender: ofPerson })).toEqual([]);
});

test('what must be confirmed cannot be archived; snoozed, it still counts as to confirm', async () => {
  const { employee, owner, order } = await makeInbox();
  const no = await order('Aturan');
  expect(await archive(employee, no)).toBe('to-confirm');
  expect(await snooze(employee, no, 'hour')).toMatchObject({ back: false });
  expect([await titles(employee, {}), (await countUnread(employee)).count]).toEqual([[], 0]);
  expect([await countToConfirm(employee), await titles(employee, { toConfirm: true })]).toEqual([1, ['Aturan']]);
  const session = { employee, account: owner } as unknown as Session & { employee: Employee };
  await confirmNotification(session, no);
  expect(await titles(employee, {})).toEqual(['Aturan']);
  expect(await archive(employee, no)).toEqual({ unread: false, back: false });
});

test('a snooze ends in the zone of the quiet hours, and neither in the past nor after a year', async () => {
  const { employee, send } = await makeInbox();
  await send('Rapat');
  const hourIn = (zone: string, at: Date) =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at);
  const morning = async () => ((await snooze(employee, 1, 'morning')) as { until: Date }).until;
  expect(hourIn('Asia/Jakarta', await morning())).toBe('08:00');
  await changePreferences(employee, { quietTimeZone: 'Asia/Jayapura' });
  expect(hourIn('Asia/Jayapura', await morning())).toBe('08:00');
  expect(await snooze(employee, 1, { day: '2020-01-01', minute: 480 })).toBe('past');
  expect(await snooze(employee, 1, { day: '2999-01-01', minute: 480 })).toBe('too-far');
  expect(await snooze(employee, 2, 'hour')).toBe('not-in-inbox');
});

test('what was withdrawn while it was snoozed does not come back', async () => {
  const { employee, owner, send } = await makeInbox();
  await send('Ditarik');
  await snooze(employee, 1, 'hour');
  const [row] = await sql()`select count(*)::int as count from notifications where company_id = ${owner.companyId}`;
  expect(row?.count).toBe(1);
  await withdrawNotification(owner, 1);
  await sql()`update receipts set snoozed_until = now() where company_id = ${owner.companyId}`;
  expect([await listBack(employee), (await countUnread(employee)).count, await titles(employee, {})]).toEqual([
    [],
    0,
    [],
  ]);
});
