import { expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { withFreshService } from '#e2e/support/data/fresh-service.ts';
import { readFailureExamples } from '#e2e/support/http/examples.ts';
import { expectCommon, good, withKey } from '#e2e/support/http/interface.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

// Its own service and database: other requests on the broken connection would fail too.
test('when the connection breaks during a send, the 503 says that the outcome is unknown', async () => {
  await withFreshService({}, async (service, { url }) => {
    const sql = connect(url, 2);
    try {
      const key = generateKey();
      const [made] = await sql<{ id: number }[]>`
        with company as (insert into companies (name, active_employees) values ('Perusahaan Uji', 1) returning id),
          account as (
            insert into accounts (company_id, username, name, password_hash, is_owner)
            select id, 'pemilik', 'Pemilik Uji', '-', true from company returning company_id, id
          ), key as (
            insert into api_keys (company_id, name, fingerprint, created_by)
            select company_id, 'kunci', ${fingerprintOf(key)}, id from account
          )
        select id from company`;
      const headers = { ...withKey(key), 'Content-Type': 'application/json' };
      const send = () =>
        fetch(`${service.url}/api/v1/notif.php`, { method: 'POST', headers, body: JSON.stringify(good) });
      await sql.begin(async (transaction) => {
        await transaction`update companies set last_no = last_no where id = ${made?.id ?? 0}`;
        const [self] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
        const waiting = send();
        const waiters = () => sql<{ pid: number }[]>`
          select pid from pg_stat_activity where ${self?.pid ?? 0}::int = any(pg_blocking_pids(pid))`;
        await expect.poll(async () => (await waiters()).length, { timeout: 10_000, interval: 20 }).toBe(1);
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${self?.pid ?? 0}::int = any(pg_blocking_pids(pid))`;
        const answer = await waiting;
        expectCommon(answer);
        const example = (await readFailureExamples()).unavailable_uncertain;
        expect([answer.status, await answer.json()]).toEqual([503, example]);
      });
      await expect.poll(async () => (await send()).status, { timeout: 10_000 }).toBe(200);
    } finally {
      await sql.end();
    }
  });
});
