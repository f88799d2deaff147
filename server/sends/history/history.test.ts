import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { keyDraft, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listAudit } from '#server/audit/list.ts';
import { findInInbox, listChangesSince, listInbox } from '#server/inbox/inbox.ts';
import { markRead } from '#server/inbox/read-state.ts';
import { newRequestId } from '#server/request-id.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { correctNotification, withdrawNotification } from '#server/sends/history/changes.ts';
import { findSend, listCorrections, listRecipients } from '#server/sends/history/details.ts';
import { countOutcomes, listUnconfirmedSends } from '#server/sends/history/outcomes.ts';
import { countSendsByDay, listSends } from '#server/sends/history/send-list.ts';
import { remind } from '#server/sends/manual/send-manually.ts';

const text = { title: 'Rapat jam 9', body: 'Bukan jam 8', url: null };

test('a correction replaces the text for recipients, keeps reads; both texts are audited', async ({ company }) => {
  const [first, second] = [await company.hire(), await company.hire()];
  const no = await writeManualDraft(company, { title: 'Rapat jam 8', body: 'Jangan lambat' });
  const later = await company.hire();
  await markRead(first, no, true);
  expect(await correctNotification(company.owner, no, text)).toBe('corrected');
  const shown = { no, ...text, correctedAt: expect.any(Date) };
  expect((await listInbox(first)).items).toMatchObject([{ ...shown, read: true }]);
  expect((await listInbox(second)).items).toMatchObject([{ ...shown, read: false }]);
  expect((await listChangesSince(first, no)).corrected).toEqual([no]);
  expect([(await listChangesSince(later, 0)).corrected, (await listInbox(later)).items]).toEqual([[], []]);
  const [entry] = (await listAudit(company.owner, { limit: 1 })).entries;
  const was = { title: 'Rapat jam 8', body: 'Jangan lambat' };
  expect(entry).toMatchObject({ action: 'notification.correct', details: { no, ...text, was } });
  expect(await correctNotification(company.owner, no, text)).toBe('unchanged');
  expect(await correctNotification(company.owner, no, { ...text, title: 'Rapat jam 10' })).toBe('corrected');
  const send = await findSend(company.owner, no);
  expect(send).toMatchObject({ title: 'Rapat jam 10', isCorrectable: true });
  const former = send ? await listCorrections(company.owner, send) : [];
  expect(former.map(({ title }) => title)).toEqual(['Rapat jam 9', 'Rapat jam 8']);
});

test('a message says who corrected it, unless that is its sender', async ({ company, owner }) => {
  const [employee, manager] = [await company.hire(), await company.addManager('Manajer')];
  const no = await writeManualDraft(company, { title: 'Gaji tanggal 25', mustConfirm: true });
  await remind(owner, no, null);
  for (const person of [manager, owner, manager]) {
    const correctedBy = person === owner ? null : 'Manajer';
    expect(await correctNotification(person, no, { ...text, title: `Gaji ${randomUUID()}` })).toBe('corrected');
    const shown = { sender: owner.name, correctedBy };
    expect((await listInbox(employee)).items).toMatchObject([shown, shown]);
  }
});

test('reminders of a corrected send have the new text, earlier and later ones', async ({ company, employee }) => {
  const no = await writeManualDraft(company, { title: 'Lama', mustConfirm: true });
  expect(await remind(company.owner, no, null)).toMatchObject({ reach: 1 });
  await correctNotification(company.owner, no, text);
  await sql()`update notifications set created_at = created_at - interval '11 minutes'
    where company_id = ${company.owner.companyId} and reminds_no = ${no}`;
  expect(await remind(company.owner, no, null)).toMatchObject({ reach: 1 });
  const titles = (await listInbox(employee)).items.map(({ title }) => title);
  expect(titles).toEqual([text.title, text.title, text.title]);
});

test('only a send by hand of the last ten minutes can be corrected, and not a withdrawn one', async ({ company }) => {
  await company.hire();
  const { owner } = company;
  await sendNotification(await principalOf(await company.newKey()), keyDraft, newRequestId());
  expect(await correctNotification(owner, 1, text)).toBe('no-such-notification');
  const late = await writeManualDraft(company, {});
  await sql()`update notifications set created_at = now() - interval '10 minutes 1 second'
    where company_id = ${owner.companyId} and no = ${late}`;
  expect(await correctNotification(owner, late, text)).toBe('too-late');
  const withdrawn = await writeManualDraft(company, {});
  await withdrawNotification(owner, withdrawn);
  expect(await correctNotification(owner, withdrawn, text)).toBe('no-such-notification');
  expect(await findSend(owner, late)).toMatchObject({ isCorrectable: false, correctedAt: null });
});

test('of a correction and a withdrawal at once, the withdrawal wins', async ({ company, employee }) => {
  for (let round = 0; round < 10; round++) {
    const no = await writeManualDraft(company, { title: `Salah ${round} ${randomUUID()}` });
    await Promise.all([correctNotification(company.owner, no, text), withdrawNotification(company.owner, no)]);
    expect(await findInInbox(employee, no)).toBe('withdrawn');
    expect((await listChangesSince(employee, no)).corrected).not.toContain(no);
  }
});

test('who confirmed before a correction is counted and listed apart', async ({ company }) => {
  const [first, second] = [await company.hire(), await company.hire()];
  const no = await writeManualDraft(company, { title: 'Lama', mustConfirm: true });
  const confirm = (employeeId: number) => sql()`
    insert into receipts (company_id, employee_id, no, confirmed_at)
    values (${company.owner.companyId}, ${employeeId}, ${no}, clock_timestamp())`;
  await confirm(first.employeeId);
  await correctNotification(company.owner, no, text);
  await confirm(second.employeeId);
  expect((await countOutcomes(company.owner, [no]))?.get(no)).toMatchObject({ confirmed: 2, beforeCorrection: 1 });
  const { people } = await listRecipients(company.owner, no, { filter: { state: 'beforeCorrection' } });
  expect(people.map(({ id }) => id)).toEqual([first.employeeId]);
});

test('a message stays listed until its active recipients have confirmed it', async ({ company, other }) => {
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  const [mustRead, mustConfirm] = ['Aturan baru', true];
  const no = await writeManualDraft(company, { title: mustRead, mustConfirm });
  const single = await writeManualDraft(company, { title: 'Slip', mustConfirm, ...toOne(satu.employeeId) });
  for (let sent = 0; sent < 3; sent++) await writeManualDraft(company);
  const first = { no, title: mustRead, missing: 2 };
  const second = { no: single, title: 'Slip', missing: 1 };
  expect(await listUnconfirmedSends(company.owner)).toEqual([first, second]);
  expect(await listUnconfirmedSends(company.owner, single)).toMatchObject([{ no: single }]);
  expect((await listSends(company.owner, { filter: { state: 'unconfirmed' } })).sends).toHaveLength(2);
  expect(await listUnconfirmedSends(other.owner)).toEqual([]);
  await sql()`insert into receipts (company_id, employee_id, no, confirmed_at)
    values (${satu.companyId}, ${satu.employeeId}, ${no}, now())`;
  expect(await listUnconfirmedSends(company.owner)).toMatchObject([{ missing: 1 }, { missing: 1 }]);
  await company.deactivate(dua);
  expect(await listUnconfirmedSends(company.owner)).toMatchObject([{ no: single }]);
});

test('of a company of 100,000 people only three messages are examined', async ({ company }) => {
  await company.hire();
  for (let sent = 0; sent < 4; sent++) await writeManualDraft(company, { mustConfirm: true });
  await sql()`update companies set active_employees = 100000 where id = ${company.owner.companyId}`;
  expect(await listUnconfirmedSends(company.owner)).toHaveLength(3);
});

test('sends are counted by day of the company’s zone, without withdrawals', async ({ company, other, owner }) => {
  await company.hire();
  await other.hire();
  for (let sent = 0; sent < 3; sent++) await writeManualDraft(other);
  expect((await countSendsByDay(owner)).map(({ sends }) => sends)).toEqual(Array.from({ length: 14 }, () => 0));
  for (let sent = 0; sent < 4; sent++) await writeManualDraft(company);
  await withdrawNotification(owner, 2);
  const days = await countSendsByDay(owner);
  const [today] = await sql()`select (now() at time zone ${owner.timeZone})::date::text as day`;
  expect(days.at(-1)).toEqual({ day: today?.day, sends: 4 });
  expect(days.slice(0, -1).every(({ sends }) => sends === 0)).toBe(true);
  expect(days).toHaveLength(14);
});
