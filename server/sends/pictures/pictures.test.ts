import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired } from '#e2e/support/data/calls.ts';
import { makeJpeg } from '#e2e/support/data/pictures.ts';
import { daily } from '#e2e/support/data/plans-and-joins.ts';
import { aDraft, content, toOne, toPeople, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { type Picture, redraw } from '#platform/redraw.ts';
import { listAudit } from '#server/audit/list.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { remind } from '#server/sends/manual/send-manually.ts';
import { findPicture, readPicture, storePicture } from '#server/sends/pictures/pictures.ts';
import { findPlanned } from '#server/sends/planned/planned-list.ts';
import { changePlanned, holdSend, planSend } from '#server/sends/planned/planned-sends.ts';
import { makeRule } from '#server/sends/planned/send-rules.ts';

const file = makeJpeg(16, 8);
// What is stored of it.
const { file: redrawn } = (await redraw(file, 'jpeg', 16)) as Picture;

test('a picture is for the recipients of its message and the managers only', async ({ company, other, owner }) => {
  const [siti, budi, neighbour] = [await company.hire(), await company.hire(), await other.hire()];
  const manager = await company.addManager();
  const draftId = randomUUID();
  const seenBy = async () => {
    const all = [owner, manager, siti, budi, other.owner, neighbour];
    return (await Promise.all(all.map((one) => readPicture(one, draftId)))).map((jpeg) => jpeg !== null);
  };
  expect(await storePicture(owner, draftId, file)).toBe('stored');
  expect(await seenBy(), 'before it is sent').toEqual([true, true, false, false, false, false]);
  const no = await writeManualDraft(company, { ...toPeople(siti.employeeId), draftId, mustConfirm: true });
  expect(await seenBy()).toEqual([true, true, true, false, false, false]);
  expect(await readPicture(siti, draftId)).toEqual(redrawn);
  await remind(owner, no, null);
  for (const of of [{ no }, { no: no + 1 }, { draftId }])
    expect(await findPicture(siti, of)).toEqual({ draftId, width: 16, height: 8 });
  expect(await findPicture(other.owner, { no })).toBeNull();

  expect(await storePicture(owner, draftId, makeJpeg(8, 8)), 'it never changes').toBe('taken');
  await storePicture(other.owner, draftId, makeJpeg(8, 8));
  await withdrawNotification(other.owner, no);
  expect(await readPicture(siti, draftId)).toEqual(redrawn);
  expect(await withdrawNotification(owner, no)).toBe('withdrawn');
  expect((await seenBy()).slice(0, 4)).toEqual([false, false, false, false]);
});

test('a stored message gets another picture by its change, which names the new sender', async ({ company, owner }) => {
  const [manager, first] = [await company.addManager('Manajer'), randomUUID()];
  const [held, planned, ofRule, foreign] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const jadwal = { ...content, title: 'Jadwal' };
  const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const picture = first;
  const schedule = { ...daily, startsOn: at.slice(0, 10) };
  expect(await storePicture(owner, first, file)).toBe('stored');
  await holdSend(owner, { ...jadwal, draftId: held, picture });
  await planSend(owner, { ...jadwal, draftId: planned, picture }, at);
  await makeRule(owner, { ...jadwal, draftId: ofRule, picture }, schedule);
  const pictures = () => Promise.all([held, planned, ofRule, first].map((draftId) => findPicture(owner, { draftId })));
  const before = await pictures();
  expect(before.map((found) => found?.width)).toEqual([16, 16, 16, 16]);

  expect(await storePicture(manager, foreign, makeJpeg(8, 24))).toBe('stored');
  for (const draftId of [held, planned, ofRule, first])
    expect(await storePicture(manager, draftId, makeJpeg(8, 8))).toBe('taken');
  await holdSend(manager, { ...jadwal, draftId: held, picture: foreign });
  for (const draftId of [planned, ofRule]) {
    await planSend(manager, { ...jadwal, draftId, picture: foreign }, at);
    await makeRule(manager, { ...jadwal, draftId, picture: foreign }, schedule);
  }
  expect(await pictures()).toEqual(before);

  expect(await changePlanned(manager, planned, { ...jadwal, picture: foreign }, at)).toBe('changed');
  expect(await findPicture(owner, { draftId: planned })).toEqual({ draftId: planned, width: 8, height: 24 });
  expect((await listAudit(owner, { limit: 1 })).entries).toMatchObject([{ action: 'plan.edit', actorName: 'Manajer' }]);
  expect(await findPlanned(owner, planned)).toMatchObject({ plannedBy: 'Manajer' });
  await changePlanned(manager, planned, jadwal, at);
  expect(await findPicture(owner, { draftId: planned })).toBeNull();
});

test('a picture that no message takes is deleted after a day, and stays with one that waits', async ({ owner }) => {
  const [unsent, waiting] = [randomUUID(), randomUUID()];
  expect(await storePicture(owner, unsent, file)).toBe('stored');
  for (const nothing of ['GIF89a', ''])
    expect(await storePicture(owner, waiting, Buffer.from(nothing))).toBe('not-a-picture');
  await holdSend(owner, aDraft({ draftId: waiting, picture: unsent }));
  await sql()`update planned_sends set leaves_at = now() + interval '1 day' where company_id = ${owner.companyId}`;
  await sql()`update notification_pictures set created_at = now() - interval '25 hours'
    where company_id = ${owner.companyId}`;
  await deleteExpired();
  expect(await findPicture(owner, { draftId: unsent })).toBeNull();
  expect(await findPicture(owner, { draftId: waiting })).toEqual({ draftId: waiting, width: 16, height: 8 });
});

test('a message that is sent again takes its picture along, of its company', async ({ company, other, owner }) => {
  const siti = await company.hire();
  const [earlier, again, foreign] = [randomUUID(), randomUUID(), randomUUID()];
  await storePicture(owner, earlier, file);
  await writeManualDraft(company, { draftId: earlier });
  await writeManualDraft(company, { ...toOne(siti.employeeId), draftId: again, picture: earlier });
  expect(await readPicture(siti, again)).toEqual(redrawn);
  expect(await readPicture(owner, earlier), 'the earlier one keeps it').toEqual(redrawn);
  await writeManualDraft(other, { draftId: foreign, picture: earlier });
  expect(await readPicture(other.owner, foreign)).toBeNull();
  await writeManualDraft(company, { draftId: foreign });
  await writeManualDraft(company, { draftId: foreign, picture: earlier });
  expect(await readPicture(owner, foreign), 'a message that left gets none').toBeNull();
});

test('retention deletes a picture with its message', async ({ company, owner }) => {
  const [old, recent] = [randomUUID(), randomUUID()];
  for (const draftId of [old, recent]) {
    await storePicture(owner, draftId, file);
    await writeManualDraft(company, { draftId });
  }
  await sql()`update companies set keep_notifications_days = 90 where id = ${owner.companyId}`;
  await sql()`update notifications set created_at = now() - interval '91 days'
    where company_id = ${owner.companyId} and draft_id = ${old}`;
  await deleteExpiredRows();
  const left = await sql()`select draft_id as id from notification_pictures where company_id = ${owner.companyId}`;
  expect(left.map(({ id }) => id)).toEqual([recent]);
});
