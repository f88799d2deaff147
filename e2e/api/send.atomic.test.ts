import type postgres from 'postgres';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { makePlace } from '#e2e/support/data/traces.ts';
import { type Answer, good, sendJson } from '#e2e/support/http/interface.ts';
import { listInboxSince } from '#server/inbox/inbox.ts';

/** Sends while another transaction has done `before`; `during` runs when the send waits for it. */
async function sendDuring(
  key: string,
  before: (transaction: postgres.TransactionSql) => Promise<unknown>,
  during: () => Promise<unknown>,
): Promise<Answer> {
  const other = connect(process.env.DATABASE_URL ?? '', 1);
  const sending: Promise<Answer>[] = [];
  await other.begin(async (transaction) => {
    await before(transaction);
    sending.push(sendJson(key, { ...good, judul: 'menyusul' }));
    const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const waiting = () => sql()`select from pg_stat_activity where ${row?.pid ?? 0}::int = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    await during();
  });
  await other.end();
  return (await Promise.all(sending))[0] as Answer;
}

test('the later notification stays invisible until the earlier one commits', async () => {
  const { employee, key } = await makePlace('kunci');
  const { companyId } = employee;
  const { status } = await sendDuring(
    key,
    (transaction) => transaction`
      with company as (update companies set last_no = last_no + 1 where id = ${companyId} returning last_no)
      insert into notifications (company_id, no, title, body, kind, reach, key_id)
      select ${companyId}, last_no, 'ditahan', 'x', 'info', 1, k.id from company, api_keys k where company_id = ${companyId}`,
    async () => expect(await listInboxSince(employee, 0)).toEqual([]),
  );
  expect(status).toBe(200);
  const seen = await listInboxSince(employee, 0);
  expect(seen.map(({ no, title }) => [no, title])).toEqual([
    [1, 'ditahan'],
    [2, 'menyusul'],
  ]);
});

test('a send gets 401 and stores nothing when its key is revoked during the wait (T7)', async () => {
  const { employee, key } = await makePlace('kunci');
  const { companyId } = employee;
  const { status, json } = await sendDuring(
    key,
    (transaction) => transaction`update companies set last_no = last_no where id = ${companyId}`,
    () => sql()`update api_keys set revoked_at = now() where company_id = ${companyId}`,
  );
  expect([status, json.code]).toEqual([401, 'key_rejected']);
  expect(await listInboxSince(employee, 0)).toEqual([]);
});
