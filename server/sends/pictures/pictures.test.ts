import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { deleteExpired } from '#e2e/support/data/expired.ts';
import { makeJpeg } from '#e2e/support/data/pictures.ts';
import { toOne, toPeople, writeManualDraft } from '#e2e/support/data/sends.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { withdrawNotification } from '#server/sends/history/withdraw.ts';
import { remind } from '#server/sends/manual/remind.ts';
import { attachPicture, findPicture, readPicture, storePicture } from '#server/sends/pictures/pictures.ts';
import { holdSend } from '#server/sends/planned/planned-sends.ts';

const file = makeJpeg(16, 8);

test('a picture is for the recipients of its message and the managers of the company, for nobody else', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
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
  expect(await readPicture(siti, draftId)).toEqual(file);
  await remind(owner, no, null);
  for (const of of [{ no }, { no: no + 1 }, { draftId }])
    expect(await findPicture(siti, of)).toEqual({ draftId, width: 16, height: 8 });
  expect(await findPicture(other.owner, { no })).toBeNull();

  expect(await storePicture(owner, draftId, makeJpeg(8, 8)), 'it never changes').toBe('sent');
  await attachPicture(owner, draftId, null);
  await storePicture(other.owner, draftId, makeJpeg(8, 8));
  await withdrawNotification(other.owner, no);
  expect(await readPicture(siti, draftId)).toEqual(file);
  expect(await withdrawNotification(owner, no)).toBe('withdrawn');
  expect((await seenBy()).slice(0, 4)).toEqual([false, false, false, false]);
});

test('a picture is replaced and removed until its message leaves, and stays with one that waits', async () => {
  const company = await makeCompany();
  const { owner } = company;
  const { employeeId } = await company.hire();
  const [waiting, unsent] = [randomUUID(), randomUUID()];
  const content = { title: 'Jadwal', body: 'Isi', kind: 'info', url: null, mustConfirm: false } as const;
  await holdSend(owner, { ...content, ...toOne(employeeId), draftId: waiting });
  await sql()`update planned_sends set leaves_at = now() + interval '1 day' where company_id = ${owner.companyId}`;
  for (const draftId of [waiting, unsent]) {
    expect(await storePicture(owner, draftId, file)).toBe('stored');
    expect(await storePicture(owner, draftId, makeJpeg(8, 24))).toBe('stored');
  }
  expect(await storePicture(owner, unsent, Buffer.from('GIF89a'))).toBe('not-a-jpeg');
  await sql()`update notification_pictures set created_at = now() - interval '25 hours'
    where company_id = ${owner.companyId}`;
  await deleteExpired();
  expect(await findPicture(owner, { draftId: unsent })).toBeNull();
  expect(await findPicture(owner, { draftId: waiting })).toEqual({ draftId: waiting, width: 8, height: 24 });
  expect(await storePicture(owner, waiting, Buffer.alloc(0))).toBe('not-a-jpeg');
  await attachPicture(owner, waiting, null);
  expect(await findPicture(owner, { draftId: waiting })).toBeNull();
});

test('a message that is sent again takes its picture along, never that of another company', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const siti = await company.hire();
  const [earlier, again, foreign, sent] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await storePicture(owner, earlier, file);
  await writeManualDraft(company, { draftId: earlier });
  await attachPicture(owner, again, earlier);
  await writeManualDraft(company, { ...toOne(siti.employeeId), draftId: again });
  expect(await readPicture(siti, again)).toEqual(file);
  expect(await readPicture(owner, earlier), 'the earlier one keeps it').toEqual(file);
  await attachPicture(other.owner, foreign, earlier);
  expect(await readPicture(other.owner, foreign)).toBeNull();
  await attachPicture(owner, again, null);
  expect(await readPicture(siti, again), 'a message that left keeps it').toEqual(file);
  await writeManualDraft(company, { draftId: sent });
  await attachPicture(owner, sent, earlier);
  expect(await readPicture(owner, sent), 'a message that left gets none').toBeNull();
  await attachPicture(owner, foreign, earlier);
  await attachPicture(owner, foreign, null);
  expect(await readPicture(owner, foreign)).toBeNull();
});

test('retention deletes a picture with its message', async () => {
  const company = await makeCompany();
  const { owner } = company;
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
