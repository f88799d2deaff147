import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { makeDatabase } from '#e2e/support/service/databases.ts';
import { childEnv } from '#platform/config/processes.ts';

const { name, adminUrl: url, admin: observer, server, drop } = await makeDatabase();
beforeAll(() => observer`create table steps (run int, step int)`);
afterAll(drop);

async function endConnections(): Promise<void> {
  const others = () => server`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and application_name like 'staff-notification-api %'`;
  await expect.poll(async () => (await others()).length).toBe(0);
}

test('a transaction that lost its connection fails, and none of it runs on another one (X2)', async () => {
  let lost = 0;
  const sql = connect(url, 1, { whenLost: () => lost++ });
  const run = sql.begin(async (transaction) => {
    await transaction`insert into steps values (0, 1)`;
    await endConnections();
    for (const step of [2, 3]) await transaction`insert into steps values (0, ${step})`.catch(() => {});
    await transaction`insert into steps values (0, 4)`;
  });
  await expect(run).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(lost).toBe(1);
  expect(await observer`select * from steps where run = 0`).toEqual([]);
  await sql.end();
});

test('statements that lose their connection are answered or fail, whole or not at all (X2)', async () => {
  for (let round = 1; round <= 20; round++) {
    const sql = connect(url, 3);
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.02)`));
    const write = sql.begin(async (transaction) => {
      for (const step of [1, 2, 3]) await transaction`insert into steps values (${round}, ${step})`;
    });
    const asked = Array.from({ length: 12 }, (_, place) => sql`select ${place}::int as place`);
    const all = Promise.allSettled([write, ...asked]);
    if (round % 2 === 0) await write.catch(() => {});
    await endConnections();
    const [, ...answers] = await all;
    for (const answer of answers) if (answer.status === 'fulfilled') expect(answer.value).toHaveLength(1);
    await sql.end({ timeout: 1 });
  }
  expect(await observer`select run from steps where run > 0 group by run having count(*) <> 3`).toEqual([]);
});

/** The exit code of a process with an unhandled rejection of this code; 7 when the process survives. */
function exitAfter(code: string): number | null {
  const program = `import { surviveLostConnections } from '#db/driver/lost-connections.ts';
    surviveLostConnections();
    void Promise.reject(Object.assign(new Error('x'), { code: '${code}' }));
    setTimeout(() => process.exit(7), 20);`;
  const options = { cwd: join(import.meta.dirname, '..', '..'), env: childEnv() };
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], options).status;
}

test('a connection lost as it begins does not end the process; other unhandled rejections do (X2)', () => {
  expect([exitAfter('CONNECTION_CLOSED'), exitAfter('X')]).toEqual([7, 1]);
});
