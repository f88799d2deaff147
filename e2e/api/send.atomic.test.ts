import type postgres from 'postgres';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { good, sendJson } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';

// The sessions that wait for a lock of the session `pid`.
const waitersOf = (pid: number) => sql()<{ pid: number }[]>`
  select pid from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`;

async function waitForLockWaiter(held: postgres.TransactionSql): Promise<number> {
  const [row] = await held<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = row?.pid ?? 0;
  await expect.poll(async () => (await waitersOf(pid)).length).toBeGreaterThan(0);
  return pid;
}

test('notifications of a company become visible in the order of their numbers', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const { companyId } = employee;
  const outside = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    let later: Promise<{ status: number }> | undefined;
    await outside.begin(async (held) => {
      const [row] = await held<{ no: number }[]>`
        update companies set last_no = last_no + 1 where id = ${companyId} returning last_no as no`;
      const [sender] = await held<{ id: number }[]>`select id from api_keys where company_id = ${companyId}`;
      await held`insert into notifications (company_id, no, title, body, kind, reach, key_id)
        values (${companyId}, ${row?.no ?? 0}, 'ditahan', 'x', 'info', 1, ${sender?.id ?? 0})`;
      later = sendJson(key, { ...good, judul: 'menyusul' });
      await waitForLockWaiter(held);
      expect(await listInboxSince(employee, 0), 'the later one cannot be seen before the earlier').toEqual([]);
    });
    expect((await later)?.status).toBe(200);
  } finally {
    await outside.end();
  }
  const seen = await listInboxSince(employee, 0);
  expect(seen.map(({ no, title }) => [no, title])).toEqual([
    [1, 'ditahan'],
    [2, 'menyusul'],
  ]);
});

test('a deactivation that commits before a send counts for it', async () => {
  const company = await makeCompany();
  const [leaving, staying] = [await company.hire(), await company.hire()];
  const key = await company.newKey();
  const { companyId } = leaving;
  const outside = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    let sends: Promise<{ json: Record<string, unknown> }[]> | undefined;
    await outside.begin(async (held) => {
      const [row] = await held<{ no: number }[]>`
        update companies set active_employees = active_employees - 1 where id = ${companyId} returning last_no as no`;
      await held`update employees set active = false where company_id = ${companyId} and id = ${leaving.employeeId}`;
      await held`update employment set until_no = ${row?.no ?? 0} where company_id = ${companyId} and employee_id = ${leaving.employeeId}`;
      sends = Promise.all([sendJson(key, good), sendJson(key, { ...good, user_id: leaving.employeeId })]);
      await waitForLockWaiter(held);
    });
    expect((await sends)?.map(({ json }) => json.terkirim)).toEqual([1, 0]);
  } finally {
    await outside.end();
  }
  expect((await listInbox(leaving)).items).toEqual([]);
  expect((await listInbox(staying)).items).toHaveLength(1);
});

test('a send whose key is revoked while it waits is 401 and leaves nothing', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const { companyId } = employee;
  const outside = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    let sent: Promise<{ status: number; json: Record<string, unknown> }> | undefined;
    await outside.begin(async (held) => {
      await held`update companies set last_no = last_no where id = ${companyId}`;
      sent = sendJson(key, good);
      await waitForLockWaiter(held);
      await sql()`update api_keys set revoked_at = now() where company_id = ${companyId}`;
    });
    expect([(await sent)?.status, (await sent)?.json.code]).toEqual([401, 'key_rejected']);
  } finally {
    await outside.end();
  }
  expect((await listInbox(employee)).items).toEqual([]);
});

test('a send that waits too long is 503, and another company does not wait for it', async () => {
  const [held, free] = [await makeCompany(), await makeCompany()];
  const [heldKey, freeKey] = [await held.newKey(), await free.newKey()];
  const outside = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    await outside.begin(async (transaction) => {
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`update companies set last_no = last_no where id = ${held.owner.companyId}`;
      const sends = Array.from({ length: 12 }, () => sendJson(heldKey, good));
      await waitForLockWaiter(transaction);
      expect((await sendJson(freeKey, good)).status).toBe(200);
      const answers = await Promise.all(sends);
      expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [503, 'unavailable']));
    });
  } finally {
    await outside.end();
  }
});

test('the audit log refuses update, delete and truncate (T17)', async () => {
  const company = await makeCompany();
  const id = company.owner.companyId;
  await expect(sql()`update audit_log set action = 'x' where company_id = ${id}`).rejects.toThrow(
    'permission denied for table audit_log',
  );
  await expect(sql()`delete from audit_log where company_id = ${id}`).rejects.toThrow(
    'permission denied for table audit_log',
  );
  await expect(sql()`truncate audit_log`).rejects.toThrow('permission denied for table audit_log');
});
