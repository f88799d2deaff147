import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, must, password } from '#e2e/support/data/company.ts';
import { authenticate } from '#e2e/support/data/owners.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeRetention, countTooOld, findRetention } from '#server/companies/companies.ts';
import { acceptLink, findUsedLink } from '#server/employees/personal-links.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { markAllRead, markRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { deleteExpiredRows, deleteSurplusRejectedRequests } from '#server/jobs/expired-rows.ts';
import { noteJobs, runTakenJob, takeDueJob } from '#server/jobs/hourly-jobs.ts';
import { sendNotification } from '#server/sends/by-key.ts';

test('expired idempotency keys are deleted, current ones stay', async ({ sender, companyId }) => {
  for (const idempotencyKey of ['lama', 'baru'])
    await sendNotification(sender, keyDraft, 'x', { idempotencyKey, bodyHash: Buffer.alloc(32) });
  await sql()`update idempotency set created_at = now() - interval '26 hours'
    where company_id = ${companyId} and idempotency_key = 'lama'`;
  await deleteExpired();
  const remaining = await sql()`select idempotency_key as name from idempotency where company_id = ${companyId}`;
  expect(remaining.map(({ name }) => name)).toEqual(['baru']);
});

test('browsers unseen for 90 days go, and expired or idle sessions with their devices', async ({ company }) => {
  const employee = await company.hire();
  const account = await authenticate(await company.giveAccount(employee));
  const { companyId, employeeId } = employee;
  for (const days of [91, 1])
    await sql()`insert into portals (company_id, employee_id, browser_id, seen_at)
      values (${companyId}, ${employeeId}, gen_random_uuid(), now() - ${days} * interval '1 day')`;
  const ids: number[] = [];
  for (const client of ['kedaluwarsa', 'diam', 'berlaku']) {
    const id = await openSession(account, { address: '192.0.2.1', client });
    await sql()`insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_id)
      values (${companyId}, ${employeeId}, sha256(convert_to(${`${companyId}-${id}`}, 'UTF8')), 'https://push.test', 'x', 'y', ${id})`;
    ids.push(id);
  }
  await sql()`update sessions set expires_at = now() where company_id = ${companyId} and id = ${ids[0] ?? 0}`;
  await sql()`update companies set employees_idle_minutes = 480 where id = ${companyId}`;
  await sql()`update sessions set seen_at = now() - interval '9 hours' where company_id = ${companyId} and id = ${ids[1] ?? 0}`;
  await deleteExpired();
  expect(await sql()`select 1 from portals where company_id = ${companyId}`).toHaveLength(1);
  const devices = await sql()`select session_id from push_subscriptions where company_id = ${companyId}`;
  expect(devices.map((row) => row.session_id)).toEqual([ids[2]]);
});

test('for years a used link leads to its account, while the person may sign in', async ({ company, employee }) => {
  const token = await company.invite(employee);
  expect(await findUsedLink(token)).toBeNull();
  const username = `lama-${randomUUID()}`;
  await acceptLink(token, username, password);
  const invited = must(await inviteOwner(company.owner, 'Manajer', 'manager'));
  await acceptLink(invited.token, `${username}-m`, password);
  const later = await company.invite(employee);
  await sql()`update invitations set expires_at = now() - interval '3 years' where company_id = ${employee.companyId}`;
  await deleteExpired();
  expect(await findUsedLink(token)).toEqual({ username, isEmployee: true });
  expect(await findUsedLink(invited.token)).toEqual({ username: `${username}-m`, isEmployee: false });
  expect(await findUsedLink(later)).toBeNull();
  await company.deactivate(employee);
  expect(await findUsedLink(token)).toBeNull();
});

test('counts of refused calls stay as long as refused calls, those of nothing for two hours', async ({ owner }) => {
  for (const hours of [0, 3, 29 * 24, 31 * 24])
    await sql()`insert into refusal_counts (company_id, hour, code, wanted, not_kept)
      values (${owner.companyId}, date_trunc('hour', now()) - ${hours} * interval '1 hour', 'key_missing', 1, ${hours > 3 ? 5 : 0})`;
  await deleteExpired();
  const left = await sql()`select not_kept as n from refusal_counts where company_id = ${owner.companyId} order by 1`;
  expect(left.map(({ n }) => Number(n))).toEqual([0, 5]);
});

test('a job that is due runs once, however many look for it at once', async () => {
  await noteJobs(['uji-sekali']);
  const isDue = sql()`update hourly_jobs set ended_at = now() - interval '61 minutes' where name = 'uji-sekali'`;
  expect(await takeDueJob(['uji-sekali'])).toBeNull();
  await isDue;
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeDueJob(['uji-sekali'])));
  expect(taken.filter((name) => name !== null)).toEqual(['uji-sekali']);
  let runs = 0;
  await runTakenJob('uji-sekali', async () => runs++);
  expect([runs, await takeDueJob(['uji-sekali'])]).toEqual([1, null]);
});

test('a job whose process died is taken by another one when its lease has ended', async () => {
  await noteJobs(['uji-mati']);
  await sql()`update hourly_jobs set ended_at = now() - interval '61 minutes', runner = gen_random_uuid(),
    lease_until = now() + interval '1 minute' where name = 'uji-mati'`;
  expect(await takeDueJob(['uji-mati'])).toBeNull();
  await sql()`update hourly_jobs set lease_until = now() where name = 'uji-mati'`;
  expect(await takeDueJob(['uji-mati'])).toBe('uji-mati');
  await expect(runTakenJob('uji-mati', () => Promise.reject(new Error('rusak')))).rejects.toThrow('rusak');
  expect(await takeDueJob(['uji-mati'])).toBeNull();
});

async function sendSome(company: Company, count: number): Promise<void> {
  const key = await principalOf(await company.newKey());
  for (let sent = 0; sent < count; sent++) await sendNotification(key, keyDraft, 'x');
}

const makeOld = ({ owner }: Company, upTo: number, days: number) =>
  sql()`update notifications set created_at = now() - ${days} * interval '1 day' where company_id = ${owner.companyId} and no <= ${upTo}`;

const listNumbers = ({ owner }: Company) => sql()`select no from notifications where company_id = ${owner.companyId}`;

// Another test's jobs may hold the lock of this company and finish the deletion, so these tests poll.
const pollOptions = { timeout: 20_000 };

test('old notifications go with receipts and reminders; unread counts stay right', async ({ company, other }) => {
  const [employee, otherEmployee] = [await company.hire(), await other.hire()];
  for (const sender of [company, other]) {
    await sendSome(sender, 8);
    await makeOld(sender, 5, 100);
  }
  const { companyId } = company.owner;
  await markAllRead(employee, 2);
  for (const no of [1, 4, 7]) await markRead(employee, no, no === 4);
  await sql()`update notifications set reminds_no = 3 where company_id = ${companyId} and no = 8`;
  const otherInboxBefore = await listInbox(otherEmployee);

  await deleteExpiredRows();
  expect((await listInbox(employee)).items).toHaveLength(8);
  expect(await countTooOld(company.owner, 90)).toBe(5);
  expect(await countTooOld(company.owner, 180)).toBe(0);
  await changeRetention(company.owner, { keepNotificationsDays: 90, keepRefusalsDays: 30 });
  await deleteExpiredRows();
  await expect.poll(() => sql()`select 1 from read_marks where company_id = ${companyId}`, pollOptions).toHaveLength(0);

  const { items } = await listInbox(employee);
  expect(items.map(({ no }) => no)).toEqual([7, 6]);
  expect((await countUnread(employee)).count).toBe(items.filter(({ read }) => !read).length);
  expect((await listInboxSince(employee, 3)).map(({ no }) => no)).toEqual([6, 7]);
  await sendSome(company, 1);
  expect((await listInboxSince(employee, 7)).map(({ no }) => no)).toEqual([9]);
  expect(await sql()`select no from receipts where company_id = ${companyId} and no <= 5`).toHaveLength(0);
  expect(await listInbox(otherEmployee)).toEqual(otherInboxBefore);

  const log = (await listAudit(company.owner)).entries;
  const deletions = log.filter(({ action }) => action === 'company.forget');
  expect(deletions.map(({ actorKind, details }) => [actorKind, details])).toEqual([['system', { days: 90, count: 6 }]]);
  expect(log.filter(({ action }) => action === 'notification.send')).toHaveLength(9);
  const edited = { changes: { keepNotificationsDays: 90 }, was: { keepNotificationsDays: null } };
  expect(log.find(({ action }) => action === 'company.edit')?.details).toEqual(edited);
});

test('1,701 old notifications are deleted while an employee marks one as read', async ({ company, employee }) => {
  await sendSome(company, 1);
  const { companyId } = company.owner;
  await sql()`insert into notifications (company_id, no, title, body, kind, reach, key_id, created_at)
    select company_id, no + n, title, body, kind, 1, key_id, now() - interval '200 days'
    from notifications, generate_series(1, 1700) n where company_id = ${companyId}`;
  await sql()`update notifications set created_at = now() - interval '200 days' where company_id = ${companyId}`;
  await sql()`update companies set last_no = 1701, keep_notifications_days = 180 where id = ${companyId}`;
  const marking = markRead(employee, 1700, true).catch(() => 'already deleted');
  await Promise.all([deleteExpiredRows(), deleteExpiredRows(), marking]);
  await expect.poll(() => listNumbers(company), pollOptions).toEqual([]);
  expect((await countUnread(employee)).count).toBe(0);
});

test('a notification is hidden before its receipts are deleted, so it never counts as unread', async ({ company }) => {
  const employee = await company.hire();
  await sendSome(company, 1);
  await markRead(employee, 1, true);
  await makeOld(company, 1, 200);
  const { companyId } = company.owner;
  await changeRetention(company.owner, { keepNotificationsDays: 90, keepRefusalsDays: 30 });
  let deletion: Promise<void> | undefined;
  // The deletion waits for this lock on the receipt. It handles all other companies of the database first.
  await sql().begin(async (transaction) => {
    await transaction`select from receipts where company_id = ${companyId} for update`;
    deletion = deleteExpiredRows();
    // `select 1`: PostgreSQL ends a transaction that is idle for 10 s.
    const items = async () => (await transaction`select 1`) && (await listInbox(employee)).items.length;
    await expect.poll(items, { timeout: 60_000, interval: 20 }).toBe(0);
    expect((await countUnread(employee)).count).toBe(0);
    expect(await listNumbers(company)).toHaveLength(1);
  });
  await deletion;
  // The deletion may have timed out; the next run repeats it.
  await deleteExpiredRows();
  await expect.poll(() => listNumbers(company), pollOptions).toEqual([]);
});

test('refused calls are deleted after the retention time of their company', async ({ company, other }) => {
  for (const { owner } of [company, other])
    for (const days of [1, 8, 31])
      await sql()`insert into refusals (company_id, at, request_id, code, operation, address, client)
        values (${owner.companyId}, now() - ${days} * interval '1 day', gen_random_uuid(), 'key_missing', 'send', '', '')`;
  await changeRetention(company.owner, { keepNotificationsDays: null, keepRefusalsDays: 7 });
  expect(await findRetention(other.owner)).toEqual({ keepNotificationsDays: null, keepRefusalsDays: 30 });
  await deleteExpiredRows();
  for (const { owner } of [company, other])
    expect(await sql()`select 1 from refusals where company_id = ${owner.companyId}`).toHaveLength(
      owner === other.owner ? 2 : 1,
    );
});

test('beyond the limits the oldest refused calls go, those without a key first', async ({ company, other }) => {
  for (const { owner, newKey } of [company, other]) {
    await newKey();
    await sql()`
      insert into refusals (company_id, at, request_id, key_id, code, operation, address, client)
      select ${owner.companyId}, now(), gen_random_uuid(), case when n % 2 = 0 then k.id end, 'key_missing', n::text, '', ''
      from generate_series(1, 6000) n, api_keys k where k.company_id = ${owner.companyId} order by n + 0`;
  }
  const countIn = ({ companyId }: { companyId: number }) => sql()`
    select count(*)::int as all, count(key_id)::int as keyed, min(operation::int) filter (where key_id is null) as oldest
    from refusals where company_id = ${companyId}`;
  await deleteSurplusRejectedRequests(company.owner.companyId, { withoutKey: 500, all: 3500 });
  expect(await countIn(company.owner)).toEqual([{ all: 3500, keyed: 3000, oldest: 5001 }]);
  await deleteSurplusRejectedRequests(company.owner.companyId, { withoutKey: 500, all: 3000 });
  expect(await countIn(company.owner)).toEqual([{ all: 3000, keyed: 2500, oldest: 5001 }]);
  expect(await countIn(other.owner)).toMatchObject([{ all: 6000, keyed: 3000 }]);
});
