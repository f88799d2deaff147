import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { acceptLink, findUsedLink } from '#server/employees/personal-links.ts';
import { noteJobs, runTakenJob, takeDueJob } from '#server/jobs/hourly-jobs.ts';
import { sendNotification } from '#server/sends/by-key.ts';

test('expired idempotency keys are deleted, current ones stay', async () => {
  const company = await makeCompany();
  const key = await principalOf(await company.newKey());
  for (const idempotencyKey of ['lama', 'baru'])
    await sendNotification(key, keyDraft, 'x', { idempotencyKey, bodyHash: Buffer.alloc(32) });
  await sql()`update idempotency set created_at = now() - interval '26 hours'
    where company_id = ${key.companyId} and idempotency_key = 'lama'`;
  await deleteExpired();
  const remaining = await sql()`select idempotency_key as name from idempotency where company_id = ${key.companyId}`;
  expect(remaining.map(({ name }) => name)).toEqual(['baru']);
});

test('browsers not seen for 90 days are deleted, and expired or idle sessions with their devices', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const username = await company.giveAccount(employee);
  const account = await authenticatePassword(username, password, randomUUID());
  if (typeof account === 'string' || !('accountId' in account)) throw new Error('the sign-in failed');
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

test('a used link leads to its account for years, while the person may sign in; an unused one does not', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const token = await company.invite(employee);
  expect(await findUsedLink(token)).toBeNull();
  const username = `lama-${randomUUID()}`;
  await acceptLink(token, username, password);
  const invited = await inviteOwner(company.owner, 'Manajer', 'manager');
  if (invited === 'too-many') throw new Error(invited);
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

test('counts of refused calls stay as long as refused calls, those of nothing for two hours', async () => {
  const { owner } = await makeCompany();
  for (const [hours, notKept] of [
    [0, 0],
    [3, 0],
    [29 * 24, 5],
    [31 * 24, 5],
  ] as const)
    await sql()`insert into refusal_counts (company_id, hour, code, wanted, not_kept)
      values (${owner.companyId}, date_trunc('hour', now()) - ${hours} * interval '1 hour', 'key_missing', 1, ${notKept})`;
  await deleteExpired();
  const left =
    await sql()`select not_kept::int as n from refusal_counts where company_id = ${owner.companyId} order by 1`;
  expect(left.map(({ n }) => n)).toEqual([0, 5]);
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
  const failing = runTakenJob('uji-mati', () => Promise.reject(new Error('rusak')));
  await expect(failing).rejects.toThrow('rusak');
  expect(await takeDueJob(['uji-mati'])).toBeNull();
});
