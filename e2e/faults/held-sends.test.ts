import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDatabase, startOwnDatabase } from '#e2e/faults/own-database.ts';
import { seedCompany } from '#e2e/faults/seeded-company.ts';
import { startService } from '#harness/service.ts';

let database: OwnDatabase;
let admin: postgres.Sql;

beforeAll(async () => {
  database = await startOwnDatabase();
  admin = postgres(database.adminUrl, { max: 2, onnotice: () => {} });
}, 120_000);

afterAll(async () => {
  await admin.end();
  await database.remove();
});

const start = () =>
  startService({ DATABASE_URL: database.url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', LOG_LEVEL: 'error' });

const wanted = 60;

test('sends by hand that wait leave exactly once although processes are killed meanwhile (X25)', async () => {
  const [one, other] = [await start(), await start()];
  const { id, ownerId } = await seedCompany(admin, { employees: 3 });
  await admin`
    insert into held_sends (company_id, draft_id, account_id, title, body, kind, must_confirm, leaves_at)
    select ${id}, gen_random_uuid(), ${ownerId}, 'Kabar ' || n, 'Isi', 'info', false, now() + n * interval '100 ms'
    from generate_series(1, ${wanted}::int) n`;
  const drafts = await admin`select draft_id as id from held_sends where company_id = ${id}`;
  const countSent = async () =>
    (await admin`select from notifications where company_id = ${id} and account_id = ${ownerId}`).length;
  await expect.poll(countSent, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  await one.stop('SIGKILL');
  await expect.poll(countSent, { timeout: 60_000, interval: 20 }).toBeGreaterThan(wanted / 4);
  const third = await start();
  await other.stop('SIGKILL');
  await expect.poll(countSent, { timeout: 60_000 }).toBe(wanted);
  expect(await admin`select from held_sends where company_id = ${id}`).toHaveLength(0);
  const sent = await admin`select draft_id as id from notifications where company_id = ${id} and reach = 3`;
  expect(sent.map((row) => String(row.id)).toSorted()).toEqual(drafts.map((row) => String(row.id)).toSorted());
  const entries = await admin`select from audit_log where company_id = ${id} and action = 'notification.send'`;
  expect(entries).toHaveLength(wanted);
  await third.stop();
  expect(await countSent()).toBe(wanted);
}, 180_000);
