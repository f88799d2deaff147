import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { type OwnDatabase, startOwnDatabase } from '#e2e/faults/own-database.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { adopt } from '#platform/config/settings.ts';

const authSecret = 'x'.repeat(40);
let database: OwnDatabase;
let service: Service;
let cookies: string[];

beforeAll(async () => {
  database = await startOwnDatabase();
  service = await startService({ DATABASE_URL: database.url, AUTH_SECRET: authSecret, HOST: '127.0.0.1' });
  adopt({ databaseUrl: database.url, authSecret, appUrl: service.url });
  const company = await makeCompany();
  const employee = await company.giveAccount(await company.hire());
  cookies = await Promise.all([company.username, employee].map(openSessionOf));
  await disconnect();
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await database?.remove();
});

const paths = ['/owner', '/owner/sends', '/portal', '/portal/notifications', '/login', '/owner/progress'];

async function askAll() {
  const asked = cookies.flatMap((cookie) =>
    paths.map(async (path) => {
      const { status, headers, text } = await openLine(service.url, false).ask(path, { headers: { cookie } });
      return { path, status, retry: headers['retry-after'], text };
    }),
  );
  return Promise.all(asked);
}

const plainLines = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));

test('while PostgreSQL is slow, frozen or dead, pages answer 503 with Retry-After and log JSON (X1)', async () => {
  expect((await askAll()).filter(({ status }) => status >= 500)).toEqual([]);
  const before = plainLines();
  const admin = postgres(database.adminUrl, { max: 1, onnotice: () => {} });
  const locked = await admin.begin(async (lock) => {
    await lock`lock table sessions in access exclusive mode`;
    return askAll();
  });
  await admin.end();
  database.pause();
  const frozen = await askAll();
  database.resume();
  await database.stop();
  const dead = await askAll();
  await database.start();
  for (const answers of [locked, frozen, dead]) {
    const failed = answers.filter(({ status }) => status >= 500);
    expect(failed.length).toBeGreaterThan(6);
    expect(new Set(failed.map(({ status, retry }) => `${status} ${retry}`))).toEqual(new Set(['503 5']));
  }
  await expect.poll(async () => (await fetch(`${service.url}/health/ready`)).status, { timeout: 20_000 }).toBe(200);
  expect(plainLines()).toEqual(before);
});
