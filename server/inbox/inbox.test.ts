import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { confirmAs, keyDraft, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listBack, listInbox, listInboxSince, listSenders } from '#server/inbox/inbox.ts';
import { archive, snooze } from '#server/inbox/moves.ts';
import { changePreferences, findPreferences, silence } from '#server/inbox/preferences.ts';
import { markAllRead, markRead, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countToConfirm, countUnread } from '#server/inbox/unread.ts';
import type { Employee } from '#server/principals.ts';
import { type KeyDraft, type KeySend, sendNotification } from '#server/sends/by-key.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { remind } from '#server/sends/manual/send-manually.ts';

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
    ["sl_p'; --\\", []],
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
  const { employee, order } = await makeInbox();
  const no = await order('Aturan');
  expect(await archive(employee, no)).toBe('to-confirm');
  expect(await snooze(employee, no, 'hour')).toMatchObject({ back: false });
  expect([await titles(employee, {}), (await countUnread(employee)).count]).toEqual([[], 0]);
  expect([await countToConfirm(employee), await titles(employee, { toConfirm: true })]).toEqual([1, ['Aturan']]);
  await confirmAs(employee, no);
  expect(await titles(employee, {})).toEqual(['Aturan']);
  expect(await archive(employee, no)).toEqual({ unread: false, back: false });
});

test('a snooze ends within a year, in the zone of the quiet hours; what was withdrawn stays away', async () => {
  const { employee, owner, send } = await makeInbox();
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
  await withdrawNotification(owner, 1);
  await sql()`update receipts set snoozed_until = now() where company_id = ${owner.companyId}`;
  const seen = [...(await listBack(employee)), ...(await titles(employee, {}))];
  expect([seen, (await countUnread(employee)).count]).toEqual([[], 0]);
});

test('a confirmation and the marks of its reminders are stored together', async ({ company, owner, employee }) => {
  const no = await writeManualDraft(company, { mustConfirm: true });
  const { no: reminderNo } = (await remind(owner, no, null)) as { no: number };
  const { companyId, employeeId } = employee;
  // Holds the reminder's receipt until the confirmation's lock timeout (2 s).
  await sql().begin(async (tx) => {
    await tx`insert into receipts (company_id, employee_id, no, shown_at)
      values (${companyId}, ${employeeId}, ${reminderNo}, now())`;
    await expect(confirmAs(employee, no)).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await sql()`select from receipts where company_id = ${companyId} and confirmed_at is not null`).toEqual([]);
  expect(await confirmAs(employee, no)).toEqual({ confirmedAt: expect.any(Date) });
  expect((await countUnread(employee)).count).toBe(0);
});

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

async function makeReader(sends: number): Promise<Employee> {
  const { employee, send } = await makeInbox();
  for (let no = 1; no <= sends; no++) await send('Judul');
  return employee;
}

const count = async (employee: Employee) => (await countUnread(employee, { settleEvery: 1 })).count;

async function settledOf({ companyId, employeeId }: Employee): Promise<number | undefined> {
  const [row] = await sql()<{ upTo: number }[]>`
    select settled_up_to as "upTo" from employees where company_id = ${companyId} and id = ${employeeId}`;
  return row?.upTo;
}

test('a count begins where the last one found everything read', async () => {
  const employee = await makeReader(6);
  for (const no of [1, 2, 3, 5]) await markRead(employee, no, true);
  expect([await count(employee), await settledOf(employee)]).toEqual([2, 3]);
  await markRead(employee, 2, false);
  expect([await count(employee), await settledOf(employee)]).toEqual([3, 3]);
  for (const no of [2, 4, 6]) await markRead(employee, no, true);
  expect([await count(employee), await settledOf(employee)]).toEqual([0, 6]);
});

test('what an undo makes unread again is counted, whatever a count found before', async () => {
  const employee = await makeReader(4);
  await markRead(employee, 1, true);
  const marked = await markAllRead(employee, 3);
  expect([await count(employee), await settledOf(employee)]).toEqual([1, 0]);
  await markRead(employee, 4, true);
  expect([await count(employee), await settledOf(employee)]).toEqual([0, 4]);
  expect(await undoMarkAllRead(employee, marked)).toBe(true);
  expect([await count(employee), await settledOf(employee)]).toEqual([2, 1]);
});

test('counts beside marks and undos never hide what an undo made unread again', async () => {
  const employee = await makeReader(4);
  await markRead(employee, 4, true);
  for (let turn = 0; turn < 30; turn++) {
    const marked = await markAllRead(employee, 3);
    const [undone] = await Promise.all([undoMarkAllRead(employee, marked), ...[1, 2, 3, 4].map(() => count(employee))]);
    expect([undone, await count(employee)]).toEqual([true, 3]);
  }
});

type NotificationRow = { no: number; reach: number; recipientId: number | null };

// Reads an inbox by "after N" during sends, as a portal does. Returns the numbers in the order of arrival.
async function readContinuously(employee: Employee, shouldStop: () => boolean): Promise<number[]> {
  const seen: number[] = [];
  for (let last = false; ; ) {
    const fresh = await listInboxSince(employee, seen.at(-1) ?? 0);
    seen.push(...fresh.map(({ no }) => no));
    if (last && fresh.length === 0) return seen;
    last = shouldStop();
  }
}

test('concurrent sends are read completely and in order, with an exact recipient count', async ({ company }) => {
  const key = await principalOf(await company.newKey());
  const [watcher, target, ...others] = await Promise.all([1, 2, 3, 4].map(() => company.hire()));
  if (!watcher || !target) throw new Error('no employee was added');
  let sending = true;
  const outcomes: (KeySend | string)[] = [];
  const following = Promise.all([readContinuously(watcher, () => !sending), readContinuously(target, () => !sending)]);
  const send = async (to: KeyDraft['recipients'], times: number) => {
    for (let turn = 0; turn < times; turn++)
      outcomes.push(await sendNotification(key, { ...keyDraft, recipients: to }, 'concurrent'));
  };
  const toggleActive = async (employee: Employee) => {
    for (let turn = 0; turn < 12; turn++) {
      await company.deactivate(employee);
      await company.activate(employee);
    }
  };
  // All wait for the row of the company. On a busy machine, ten at once would wait longer than a statement may.
  await Promise.all([
    send({ to: 'everyone' }, 90),
    send({ to: 'everyone' }, 90),
    send({ to: 'one', employeeId: target.employeeId }, 40),
    ...others.map(toggleActive),
    company.hire(),
  ]);
  sending = false;
  const [watched, targeted] = await following;

  const rows = await sql()<NotificationRow[]>`
    select no, reach, recipient_id as "recipientId" from notifications where company_id = ${watcher.companyId} order by no`;
  expect(rows.map(({ no }) => no)).toEqual(rows.map((_, index) => index + 1));
  const broadcasts = rows.filter(({ recipientId }) => recipientId === null);
  expect(watched, 'the watcher saw every broadcast, in order').toEqual(broadcasts.map(({ no }) => no));
  expect(targeted, 'the target saw everything, in order').toEqual(rows.map(({ no }) => no));
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  const reached = outcomes.map((sent) => (typeof sent === 'object' ? sent.reach : Number.NaN));
  expect(sum(reached)).toBe(sum(rows.map(({ reach }) => reach)));
  await expectCountsToMatch(watcher.companyId, rows);
});

// Compares the stored recipient counts with counts from the periods of employment.
async function expectCountsToMatch(companyId: number, rows: NotificationRow[]): Promise<void> {
  const counts = await sql()<{ no: number; recipients: number }[]>`
    select n.no, count(s.employee_id)::int as recipients from notifications n
    left join employment s on s.company_id = n.company_id and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)
    where n.company_id = ${companyId} and n.recipient_id is null group by n.no order by n.no`;
  const broadcasts = rows.filter(({ recipientId }) => recipientId === null);
  expect(counts).toEqual(broadcasts.map(({ no, reach }) => ({ no, recipients: reach })));
  const [company] = await sql()<{ stored: number; counted: number }[]>`
    select active_employees as stored, (select count(*)::int from employees e where e.company_id = c.id and e.active) as counted
    from companies c where id = ${companyId}`;
  expect(company?.stored).toBe(company?.counted);
}
