import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { actionsOf, type Company } from '#e2e/support/data/company.ts';
import { listTitles, makeDue, sendAllDue, sendWaiting } from '#e2e/support/data/plans-and-joins.ts';
import { confirmAs, content, toOne, toPeople, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { sendDue } from '#server/sends/planned/due-sends.ts';
import { listPlanned } from '#server/sends/planned/planned-list.ts';
import {
  cancelPlanned,
  changePlanned,
  findUndone,
  findWaiting,
  holdReminder,
  holdSend,
  listHeld,
  planSend,
  sendPlannedNow,
  undoHeldSend,
  undoMs,
} from '#server/sends/planned/planned-sends.ts';

const draft = { ...content, title: 'Rapat' } as const;

const hold = async ({ owner }: Company, changes: object = {}): Promise<string> => {
  const draftId = randomUUID();
  await holdSend(owner, { ...draft, draftId, ...changes });
  return draftId;
};

// A date and time in the company's zone, in so many hours.
const timeIn = async ({ owner }: Company, hours: number): Promise<string> => {
  const [row] = await sql()<{ at: string }[]>`
    select to_char((now() + ${hours} * interval '1 hour') at time zone ${owner.timeZone}, 'YYYY-MM-DD"T"HH24:MI') as at`;
  return row?.at ?? '';
};

const plan = async (company: Company, changes: object = {}, hours = 24): Promise<string> => {
  const draftId = randomUUID();
  const planned = await planSend(company.owner, { ...draft, draftId, ...changes }, await timeIn(company, hours));
  expect(planned).toMatchObject({ state: 'planned' });
  return draftId;
};

const countEntries = async (company: Company, wanted: string) =>
  (await actionsOf(company)).filter((action) => action === wanted).length;

const countWaiting = async ({ owner }: Company) =>
  (await sql()`select from planned_sends where company_id = ${owner.companyId} and undone_at is null`).length;

test('a held send leaves once its time has come, as its owner wrote it, with its audit entry', async ({ company }) => {
  await company.hire();
  const draftId = randomUUID();
  const submit = () =>
    holdSend(company.owner, { ...draft, kind: 'gaji', url: '/portal/help', mustConfirm: true, draftId });
  const held = await submit();
  expect(held).toMatchObject({ state: 'held' });
  expect(held.state === 'held' && held.undoableMs).toBeGreaterThan(undoMs - 5000);
  expect(await submit(), 'a second submit does not begin anew').toMatchObject({ state: 'held' });
  expect((await listPlanned(company.owner)).sends, 'nobody planned it').toEqual([]);
  await sendAllDue(company);
  expect((await listSends(company.owner)).sends, 'not before its time').toEqual([]);
  await sendWaiting(company);
  const { sends } = await listSends(company.owner);
  expect(sends).toMatchObject([{ no: 1, title: 'Rapat', kind: 'gaji', reach: 1, mustConfirm: true }]);
  expect(await submit(), 'a late submit sends nothing').toMatchObject({ state: 'sent', no: 1, reach: 1 });
  await sendAllDue(company);
  expect(await listTitles(company)).toHaveLength(1);
  expect(await countEntries(company, 'notification.send')).toBe(1);
});

test('of many that look at once, one sends each planned send', async ({ company }) => {
  await company.hire();
  for (let count = 0; count < 20; count++) await plan(company, { title: `Kabar ${count}` });
  await makeDue(company);
  await Promise.all(Array.from({ length: 6 }, () => sendDue()));
  await sendAllDue(company);
  const titles = await listTitles(company);
  expect(titles).toHaveLength(20);
  expect(new Set(titles).size).toBe(20);
  expect(await countEntries(company, 'notification.send')).toBe(20);
  expect(await countWaiting(company)).toBe(0);
});

test('a held send is undone or sent, never both, when both happen at once', async ({ company }) => {
  const ids: string[] = [];
  for (let count = 0; count < 30; count++) ids.push(await hold(company));
  await makeDue(company);
  const undoing = Promise.all(ids.map((id) => undoHeldSend(company.owner, id)));
  const [undone] = await Promise.all([undoing, sendDue(), sendDue()]);
  await sendAllDue(company);
  const states = await Promise.all(ids.map((id) => findWaiting(company.owner, id)));
  expect(undone.map((one) => one?.state)).toEqual(states.map((one) => one?.state));
  const sent = states.filter((one) => one?.state === 'sent').length;
  expect(await listTitles(company)).toHaveLength(sent);
  expect(await countEntries(company, 'notification.send')).toBe(sent);
  expect(await countEntries(company, 'notification.undo')).toBe(30 - sent);
});

test('a held reminder can be undone, and reaches who has not confirmed when it leaves', async ({ company, owner }) => {
  const [siti, budi] = [await company.hire(), await company.hire()];
  const no = await writeManualDraft(company, { ...draft, mustConfirm: true });
  const [undone, draftId] = [randomUUID(), randomUUID()];
  expect(await holdReminder(owner, no, undone)).toMatchObject({ state: 'held' });
  expect(await undoHeldSend(owner, undone)).toMatchObject({ state: 'undone' });
  expect(await findUndone(owner, undone), 'nobody writes a reminder').toBeNull();
  expect(await holdReminder(owner, no, draftId)).toMatchObject({ state: 'held' });
  expect(await holdReminder(owner, no, draftId)).toMatchObject({ state: 'held' });
  expect(await listHeld(owner, [undone])).toMatchObject([
    { draftId: undone, isReminder: true, state: 'undone' },
    { draftId, isReminder: true, state: 'held', title: 'Rapat' },
  ]);
  await confirmAs(siti, no);
  await sendWaiting(company);
  expect((await listSends(owner)).sends[0]).toMatchObject({ remindsNo: no, reach: 1 });
  expect(await listHeld(owner, [draftId])).toMatchObject([{ state: 'sent', no: no + 1, reach: 1 }]);
  expect(await holdReminder(owner, no, randomUUID()), 'one in ten minutes').toHaveProperty('retryAt');

  await sql()`update notifications set created_at = created_at - interval '1 hour' where company_id = ${owner.companyId}`;
  const late = randomUUID();
  await holdReminder(owner, no, late);
  await confirmAs(budi, no);
  await sendWaiting(company);
  expect(await listHeld(owner, [late]), 'nobody is left').toEqual([]);
  expect((await listSends(owner)).sends).toHaveLength(2);
  expect(await holdReminder(owner, no, randomUUID())).toBe('nobody-left');
  expect(await countWaiting(company)).toBe(0);
});

test('what is held is shown to its sender only, undone it never leaves', async ({ company, other, owner, manager }) => {
  const draftId = await hold(company, { title: 'Rapat jam tiga' });
  const held = { draftId, title: 'Rapat jam tiga', state: 'held', isReminder: false };
  expect(await listHeld(owner, [])).toMatchObject([held]);
  for (const stranger of [manager, other.owner]) expect(await listHeld(stranger, [])).toEqual([]);
  expect(await listHeld(other.owner, [draftId])).toEqual([]);
  expect(await findUndone(owner, draftId), 'not undone yet').toBeNull();
  expect(await undoHeldSend(owner, draftId)).toMatchObject({ state: 'undone' });
  expect(await holdSend(owner, { ...draft, draftId }), 'submitted late').toMatchObject({ state: 'undone' });
  await sendWaiting(company);
  expect(await listTitles(company)).toEqual([]);
  expect(await listHeld(owner, [])).toEqual([]);
  expect(await findUndone(owner, draftId)).toMatchObject({ title: 'Rapat jam tiga', recipients: { to: 'everyone' } });
  expect(await findUndone(other.owner, draftId)).toBeNull();
});

test('a send is planned in the company’s zone, listed, changed and sent at its time', async ({ company }) => {
  await company.hire();
  const draftId = randomUUID();
  const at = await timeIn(company, 24);
  const submit = () => planSend(company.owner, { ...draft, draftId }, at);
  expect(await submit()).toMatchObject({ state: 'planned' });
  expect(await submit(), 'a second submit changes nothing').toMatchObject({ state: 'planned' });
  const [planned] = (await listPlanned(company.owner)).sends;
  expect(planned).toMatchObject({ draftId, title: 'Rapat', localTime: at, missedAt: null, ruleId: null });
  const later = await timeIn(company, 48);
  const content = { ...draft, title: 'Rapat besar' };
  expect(await changePlanned(company.owner, draftId, content, later)).toBe('changed');
  expect((await listPlanned(company.owner)).sends).toMatchObject([{ title: 'Rapat besar', localTime: later }]);
  await sendWaiting(company);
  expect(await listTitles(company)).toEqual(['Rapat besar']);
  expect(await changePlanned(company.owner, draftId, content, later)).toBe('gone');
  const actions = (await actionsOf(company)).filter((action) => /plan|send/.test(action));
  expect(actions).toEqual(['notification.send', 'plan.edit', 'plan.create']);
});

test('a time in the past or after a year is refused, and a person of elsewhere', async ({ company, other }) => {
  const stranger = await other.hire();
  const draftId = randomUUID();
  const submit = async (hours: number, changes = {}) =>
    planSend(company.owner, { ...draft, draftId, ...changes }, await timeIn(company, hours));
  expect(await submit(-1)).toBe('past');
  expect(await submit(24 * 370)).toBe('too-far');
  expect(await submit(1, toOne(stranger.employeeId))).toBe('not-in-company');
  expect(await submit(1, toPeople(stranger.employeeId))).toBe('not-in-company');
  expect(await countWaiting(company)).toBe(0);
  const planned = await plan(company);
  expect(await changePlanned(company.owner, planned, draft, await timeIn(company, -1))).toBe('past');
});

test('a cancelled send never leaves, and one that is sent now leaves once', async ({ company }) => {
  await company.hire();
  const [cancelled, now] = [await plan(company, { title: 'Batal' }), await plan(company, { title: 'Sekarang' })];
  expect(await cancelPlanned(company.owner, cancelled)).toBe('cancelled');
  expect(await cancelPlanned(company.owner, cancelled)).toBe('gone');
  expect(await undoHeldSend(company.owner, now), 'only its grace can be undone').toMatchObject({ state: 'planned' });
  expect(await sendPlannedNow(company.owner, now)).toMatchObject({ state: 'sent', no: 1, reach: 1 });
  expect(await sendPlannedNow(company.owner, now), 'again').toMatchObject({ state: 'sent', no: 1, reach: 1 });
  await sendWaiting(company);
  expect(await listTitles(company)).toEqual(['Sekarang']);
  expect(await countEntries(company, 'plan.cancel')).toBe(1);
  expect(await countEntries(company, 'plan.send')).toBe(1);
});

test('what is late by up to an hour leaves at once, after that a person decides', async ({ company }) => {
  await company.hire();
  await plan(company, { title: 'Terlambat' });
  await sendWaiting(company, '59 minutes');
  expect(await listTitles(company)).toEqual(['Terlambat']);
  const [first, second] = [await plan(company, { title: 'Kirim' }), await plan(company, { title: 'Buang' })];
  await makeDue(company, '61 minutes');
  await Promise.all([sendDue(), sendDue()]);
  await sendAllDue(company);
  expect(await listTitles(company)).toEqual(['Terlambat']);
  const { sends } = await listPlanned(company.owner);
  const missed = { missedAt: expect.any(Date), reason: 'late' };
  expect(sends).toMatchObject([missed, missed]);
  expect(await countEntries(company, 'plan.miss')).toBe(2);
  expect(await sendPlannedNow(company.owner, first)).toMatchObject({ state: 'sent' });
  expect(await cancelPlanned(company.owner, second)).toBe('cancelled');
  await sendAllDue(company);
  expect(await listTitles(company)).toEqual(['Terlambat', 'Kirim']);
  expect((await listPlanned(company.owner)).sends).toEqual([]);
});

test('what a former owner planned or wrote does not leave: another person decides', async ({ company }) => {
  await company.hire();
  const { companyId, accountId } = company.owner;
  const other = await company.addManager('Pemilik Kedua');
  await hold(company);
  const planned = await plan(company, { title: 'Rencana' });
  const changed = await plan(company, { title: 'Diambil alih' });
  const taken = { ...draft, title: 'Diambil alih' };
  expect(await changePlanned(other, changed, taken, await timeIn(company, 24))).toBe('changed');
  await sql()`update accounts set is_owner = false where company_id = ${companyId} and id = ${accountId}`;
  await sendWaiting(company);
  const bySecond = { title: taken.title, sender: other.name };
  expect((await listSends(other)).sends, 'who changes a plan, sends it').toMatchObject([bySecond]);
  const { sends } = await listPlanned(other);
  expect(sends.map(({ reason }) => reason)).toEqual(['sender', 'sender']);
  expect(await sendPlannedNow(other, planned)).toMatchObject({ state: 'sent' });
  expect((await listSends(other)).sends[0]).toMatchObject({ title: 'Rencana', sender: other.name });
});
