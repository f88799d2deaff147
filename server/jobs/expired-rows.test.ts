import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#harness/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeRetention, countTooOld, findRetention } from '#server/companies/retention.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { markAllRead, markRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { deleteUnkeptRows } from '#server/jobs/expired-rows.ts';
import { authenticateKey, fingerprintOf } from '#server/keys/keys.ts';
import type { ApiKey } from '#server/principals.ts';
import { sendNotification } from '#server/sends/send.ts';

async function sendSome(company: Company, count: number): Promise<void> {
  const key = (await authenticateKey(fingerprintOf(await company.newKey()))) as ApiKey;
  const draft = { recipientId: 0, title: 'x', body: 'y', kind: 'info', url: null } as const;
  for (let sent = 0; sent < count; sent++) await sendNotification(key, draft, 'x');
}

const makeOld = ({ owner }: Company, upTo: number, days: number) =>
  sql()`update notifications set created_at = now() - ${days} * interval '1 day' where company_id = ${owner.companyId} and no <= ${upTo}`;

// Hourly jobs of another test may hold the lock of this company; they finish the deletion.
const withinTwentySeconds = { timeout: 20_000 };

test('old notifications are deleted with receipts and reminders; unread counts stay right', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [employee, foreign] = [await company.hire(), await other.hire()];
  for (const one of [company, other]) {
    await sendSome(one, 8);
    await makeOld(one, 5, 100);
  }
  const { companyId } = company.owner;
  await markAllRead(employee, 2);
  for (const no of [1, 4, 7]) await markRead(employee, no, no === 4);
  await sql()`update notifications set reminds_no = 3 where company_id = ${companyId} and no = 8`;
  await sql()`insert into read_marks (company_id, employee_id, up_to) values (${companyId}, ${employee.employeeId}, 2)
    on conflict do nothing`;
  const foreignBefore = await listInbox(foreign);

  await deleteUnkeptRows();
  expect((await listInbox(employee)).items).toHaveLength(8);
  expect(await countTooOld(company.owner, 90)).toBe(5);
  expect(await countTooOld(company.owner, 180)).toBe(0);
  await changeRetention(company.owner, { keepNotificationsDays: 90, keepRefusalsDays: 30 });
  await deleteUnkeptRows();
  await expect
    .poll(() => sql()`select 1 from read_marks where company_id = ${companyId}`, withinTwentySeconds)
    .toHaveLength(0);

  const { items } = await listInbox(employee);
  expect(items.map(({ no }) => no)).toEqual([7, 6]);
  expect((await countUnread(employee)).count).toBe(items.filter(({ read }) => !read).length);
  expect((await listInboxSince(employee, 3)).map(({ no }) => no)).toEqual([6, 7]);
  await sendSome(company, 1);
  expect((await listInboxSince(employee, 7)).map(({ no }) => no)).toEqual([9]);
  expect(await sql()`select no from receipts where company_id = ${companyId} and no <= 5`).toHaveLength(0);
  expect(await listInbox(foreign)).toEqual(foreignBefore);

  const log = (await listAudit(company.owner)).entries;
  const forgotten = log.filter(({ action }) => action === 'company.forget');
  expect(forgotten.map(({ actorKind, details }) => [actorKind, details])).toEqual([['system', { days: 90, count: 6 }]]);
  expect(log.filter(({ action }) => action === 'notification.send')).toHaveLength(9);
  expect(log.find(({ action }) => action === 'company.edit')?.details).toEqual({
    changes: { keepNotificationsDays: 90 },
    was: { keepNotificationsDays: null },
  });
});

test('many old notifications are deleted in batches while employees read', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  await sendSome(company, 1);
  const { companyId } = company.owner;
  await sql()`insert into notifications (company_id, no, title, body, kind, reach, key_id, created_at)
    select company_id, no + n, title, body, kind, case when n % 400 = 0 then 30000 else 1 end, key_id, now() - interval '200 days'
    from notifications, generate_series(1, 1700) n where company_id = ${companyId}`;
  await sql()`update notifications set created_at = now() - interval '200 days' where company_id = ${companyId}`;
  await sql()`update companies set last_no = 1701, keep_notifications_days = 180 where id = ${companyId}`;
  await Promise.all([
    deleteUnkeptRows(),
    deleteUnkeptRows(),
    markRead(employee, 1700, true).catch(() => 'gone meanwhile'),
  ]);
  await expect
    .poll(() => sql()`select no from notifications where company_id = ${companyId}`, withinTwentySeconds)
    .toHaveLength(0);
  expect((await countUnread(employee)).count).toBe(0);
});

test('a notification is hidden before its receipts are deleted, so it never counts as unread', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  await sendSome(company, 1);
  await markRead(employee, 1, true);
  await makeOld(company, 1, 200);
  const { companyId } = company.owner;
  await changeRetention(company.owner, { keepNotificationsDays: 90, keepRefusalsDays: 30 });
  const items = async () => (await listInbox(employee)).items.length;
  let forgetting: Promise<void> | undefined;
  // The lock on the receipt stops the deletion in its middle.
  await sql().begin(async (holder) => {
    await holder`select from receipts where company_id = ${companyId} for update`;
    forgetting = deleteUnkeptRows();
    await expect.poll(items, { timeout: 8000, interval: 20 }).toBe(0);
    expect((await countUnread(employee)).count).toBe(0);
    expect(await sql()`select 1 from notifications where company_id = ${companyId}`).toHaveLength(1);
  });
  await forgetting;
  // The deletion may have timed out; the next run repeats it.
  await deleteUnkeptRows();
  await expect
    .poll(() => sql()`select 1 from notifications where company_id = ${companyId}`, withinTwentySeconds)
    .toHaveLength(0);
});

test('refused calls are deleted after the retention time of their company', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  for (const { owner } of [company, other])
    for (const days of [1, 8, 31])
      await sql()`insert into refusals (company_id, at, request_id, code, operation, address, client)
        values (${owner.companyId}, now() - ${days} * interval '1 day', gen_random_uuid(), 'key_missing', 'send', '', '')`;
  await changeRetention(company.owner, { keepNotificationsDays: null, keepRefusalsDays: 7 });
  expect(await findRetention(other.owner)).toEqual({ keepNotificationsDays: null, keepRefusalsDays: 30 });
  await deleteUnkeptRows();
  const left = ({ companyId }: { companyId: number }) => sql()`select 1 from refusals where company_id = ${companyId}`;
  expect(await left(company.owner)).toHaveLength(1);
  expect(await left(other.owner)).toHaveLength(2);
});
