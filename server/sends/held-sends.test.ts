import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#harness/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { findHeldSend, holdSend, sendDue, undoHeldSend, undoMs } from '#server/sends/held-sends.ts';
import { listSends } from '#server/sends/list.ts';

const draft = {
  recipientId: 0,
  toRoles: null,
  toPeople: null,
  title: 'Rapat',
  body: 'Jam tiga',
  kind: 'info',
  url: null,
  mustConfirm: false,
} as const;

const hold = async ({ owner }: Company, changes: object = {}): Promise<string> => {
  const draftId = randomUUID();
  await holdSend(owner, { ...draft, draftId, ...changes });
  return draftId;
};

const makeDue = ({ owner }: Company) => sql()`
  update held_sends set leaves_at = now() - interval '1 second' where company_id = ${owner.companyId}`;

const countEntries = async ({ owner }: Company, wanted: string) =>
  (await listAudit(owner, { limit: 200 })).entries.filter(({ action }) => action === wanted).length;

const countHeld = async ({ owner }: Company) =>
  (await sql()`select from held_sends where company_id = ${owner.companyId} and undone_at is null`).length;

test('a held send leaves once its time has come, as its owner wrote it, with its audit entry', async () => {
  const company = await makeCompany();
  await company.hire();
  const draftId = randomUUID();
  const submit = () =>
    holdSend(company.owner, { ...draft, kind: 'gaji', url: '/portal/help', mustConfirm: true, draftId });
  const held = await submit();
  expect(held).toMatchObject({ state: 'held' });
  expect(held.state === 'held' && held.leavesInMs).toBeGreaterThan(undoMs - 5000);
  expect(await submit(), 'a second submit does not begin anew').toMatchObject({ state: 'held' });
  await sendDue();
  expect((await listSends(company.owner)).sends, 'not before its time').toEqual([]);
  await makeDue(company);
  await sendDue();
  const { sends } = await listSends(company.owner);
  expect(sends).toMatchObject([{ no: 1, title: 'Rapat', kind: 'gaji', reach: 1, mustConfirm: true }]);
  expect(await submit(), 'a late submit sends nothing').toEqual({ state: 'sent', no: 1, reach: 1 });
  await sendDue();
  expect((await listSends(company.owner)).sends).toHaveLength(1);
  expect(await countEntries(company, 'notification.send')).toBe(1);
});

test('of many that look at once, one sends each held send', async () => {
  const company = await makeCompany();
  await company.hire();
  for (let count = 0; count < 20; count++) await hold(company, { title: `Kabar ${count}` });
  await makeDue(company);
  await Promise.all(Array.from({ length: 6 }, () => sendDue()));
  const titles = (await listSends(company.owner, { limit: 50 })).sends.map(({ title }) => title);
  expect(titles).toHaveLength(20);
  expect(new Set(titles).size).toBe(20);
  expect(await countEntries(company, 'notification.send')).toBe(20);
  expect(await countHeld(company)).toBe(0);
});

test('a held send is undone or sent, never both, when both happen at once', async () => {
  const company = await makeCompany();
  const ids: string[] = [];
  for (let count = 0; count < 30; count++) ids.push(await hold(company));
  await makeDue(company);
  const [undone] = await Promise.all([
    Promise.all(ids.map((id) => undoHeldSend(company.owner, id))),
    sendDue(),
    sendDue(),
  ]);
  await sendDue();
  const states = await Promise.all(ids.map((id) => findHeldSend(company.owner, id)));
  expect(undone.map((one) => one?.state)).toEqual(states.map((one) => one?.state));
  const sent = states.filter((one) => one?.state === 'sent').length;
  expect((await listSends(company.owner, { limit: 50 })).sends).toHaveLength(sent);
  expect(await countEntries(company, 'notification.send')).toBe(sent);
  expect(await countEntries(company, 'notification.undo')).toBe(30 - sent);
});

test('an undone draft stays undone when it is submitted late', async () => {
  const company = await makeCompany();
  const draftId = await hold(company);
  expect(await undoHeldSend(company.owner, draftId)).toEqual({ state: 'undone' });
  expect(await holdSend(company.owner, { ...draft, draftId })).toEqual({ state: 'undone' });
  await makeDue(company);
  await sendDue();
  expect((await listSends(company.owner)).sends).toEqual([]);
});

test('what a former owner wrote does not leave', async () => {
  const company = await makeCompany();
  await hold(company);
  await sql()`update accounts set is_owner = false where company_id = ${company.owner.companyId}`;
  await makeDue(company);
  await sendDue();
  expect((await listSends(company.owner)).sends).toEqual([]);
  expect(await countHeld(company)).toBe(0);
});

test('another company’s owner neither sees nor undoes a held send', async () => {
  const company = await makeCompany();
  const { owner: stranger } = await makeCompany();
  const draftId = await hold(company);
  expect(await findHeldSend(stranger, draftId)).toBeNull();
  expect(await undoHeldSend(stranger, draftId)).toBeNull();
  expect(await countHeld(company)).toBe(1);
});
