import type postgres from 'postgres';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { good, sendJson } from '#e2e/support/http/interface.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';

// Finds database sessions that session `pid` blocks.
const findBlockedSessions = (pid: number) => sql()<{ pid: number }[]>`
  select pid from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`;

async function waitUntilBlocked(transaction: postgres.TransactionSql): Promise<number> {
  const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = row?.pid ?? 0;
  await expect.poll(async () => (await findBlockedSessions(pid)).length).toBeGreaterThan(0);
  return pid;
}

test('the later notification stays invisible until the earlier one commits', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const { companyId } = employee;
  const otherConnection = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    let later: Promise<{ status: number }> | undefined;
    await otherConnection.begin(async (transaction) => {
      const [row] = await transaction<{ no: number }[]>`
        update companies set last_no = last_no + 1 where id = ${companyId} returning last_no as no`;
      const [sender] = await transaction<{ id: number }[]>`select id from api_keys where company_id = ${companyId}`;
      await transaction`insert into notifications (company_id, no, title, body, kind, reach, key_id)
        values (${companyId}, ${row?.no ?? 0}, 'ditahan', 'x', 'info', 1, ${sender?.id ?? 0})`;
      later = sendJson(key, { ...good, judul: 'menyusul' });
      await waitUntilBlocked(transaction);
      expect(await listInboxSince(employee, 0), 'the later one cannot be seen before the earlier').toEqual([]);
    });
    expect((await later)?.status).toBe(200);
  } finally {
    await otherConnection.end();
  }
  const seen = await listInboxSince(employee, 0);
  expect(seen.map(({ no, title }) => [no, title])).toEqual([
    [1, 'ditahan'],
    [2, 'menyusul'],
  ]);
});

test('a send does not reach an employee whose deactivation committed first', async () => {
  const company = await makeCompany();
  const [leaving, staying] = [await company.hire(), await company.hire()];
  const key = await company.newKey();
  const { companyId } = leaving;
  const otherConnection = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    let sends: Promise<{ json: Record<string, unknown> }[]> | undefined;
    await otherConnection.begin(async (transaction) => {
      const [row] = await transaction<{ no: number }[]>`
        update companies set active_employees = active_employees - 1 where id = ${companyId} returning last_no as no`;
      await transaction`update employees set active = false where company_id = ${companyId} and id = ${leaving.employeeId}`;
      await transaction`update employment set until_no = ${row?.no ?? 0} where company_id = ${companyId} and employee_id = ${leaving.employeeId}`;
      sends = Promise.all([sendJson(key, good), sendJson(key, { ...good, user_id: leaving.employeeId })]);
      await waitUntilBlocked(transaction);
    });
    expect((await sends)?.map(({ json }) => json.terkirim)).toEqual([1, 0]);
  } finally {
    await otherConnection.end();
  }
  expect((await listInbox(leaving)).items).toEqual([]);
  expect((await listInbox(staying)).items).toHaveLength(1);
});

test('a send gets 401 and stores nothing when its key is revoked during the wait (T7)', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const { companyId } = employee;
  const otherConnection = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    let sent: Promise<{ status: number; json: Record<string, unknown> }> | undefined;
    await otherConnection.begin(async (transaction) => {
      await transaction`update companies set last_no = last_no where id = ${companyId}`;
      sent = sendJson(key, good);
      await waitUntilBlocked(transaction);
      await sql()`update api_keys set revoked_at = now() where company_id = ${companyId}`;
    });
    expect([(await sent)?.status, (await sent)?.json.code]).toEqual([401, 'key_rejected']);
  } finally {
    await otherConnection.end();
  }
  expect((await listInbox(employee)).items).toEqual([]);
});

test('a send that waits too long gets 503, and another company does not wait for it', async () => {
  const [lockedCompany, freeCompany] = [await makeCompany(), await makeCompany()];
  const [lockedKey, freeKey] = [await lockedCompany.newKey(), await freeCompany.newKey()];
  const otherConnection = connect(process.env.DATABASE_URL ?? '', 1);
  try {
    await otherConnection.begin(async (transaction) => {
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`update companies set last_no = last_no where id = ${lockedCompany.owner.companyId}`;
      const sends = Array.from({ length: 12 }, () => sendJson(lockedKey, good));
      await waitUntilBlocked(transaction);
      expect((await sendJson(freeKey, good)).status).toBe(200);
      const answers = await Promise.all(sends);
      expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [503, 'unavailable']));
    });
  } finally {
    await otherConnection.end();
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
