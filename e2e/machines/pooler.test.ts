import { afterAll, beforeEach, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { connect, ensureSessionLimits } from '#db/driver/connect.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { good, sendTo } from '#e2e/support/http/interface.ts';
import { numbersIn, openReader, signInMany } from '#e2e/support/http/open-streams.ts';
import { lacks } from '#e2e/support/programs.ts';
import { type Pooler, startPooler } from '#e2e/support/proxies/pooler.ts';
import { makeDatabase } from '#e2e/support/service/databases.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { applyStartSettings } from '#platform/config/settings.ts';

const settings = { AUTH_SECRET: 'p'.repeat(40), HOST: '127.0.0.1' };
const database = await makeDatabase();
const { url, ownerUrl, admin } = database;
const isMissing = lacks('pgbouncer');
let pooler: Pooler;
if (!isMissing) pooler = await startPooler([url, ownerUrl]);
let company: Company;
let key: string;

beforeEach(({ skip }) => skip(isMissing));
afterAll(async () => {
  await disconnect();
  await pooler?.stop();
  await database.drop();
});

const unnamed = ({ urlOf }: Pooler) => urlOf(url).replace('?pgbouncer=true', '');

const send = (service: Service) => sendTo(service.url, key, good);

const limits = async (through: string) => {
  const sql = connect(through, 1);
  const rows = await sql<{ name: string; setting: string }[]>`select name, setting from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`;
  await sql.end();
  return rows.map(({ setting }) => setting);
};

test('a start through an unnamed pooler fails with one sentence that names the setting', async () => {
  const service = await startService({ ...settings, DATABASE_URL: unnamed(pooler) });
  expect(service.process.exitCode).toBe(1);
  expect(service.output()).toMatch(/^DATABASE_URL: .*\?pgbouncer=true.*DATABASE_DIRECT_URL.*\.\n$/);
});

test('an unnamed pooler that ignores the time limits is reported', async () => {
  const ignored = 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout';
  const careless = await startPooler([url], [`ignore_startup_parameters = ${ignored}`]);
  expect(await ensureSessionLimits(unnamed(careless))).toBe('ignored');
  await careless.stop();
});

test('a pooler in session mode must be named too, and then sends work', async () => {
  const inSessions = await startPooler([url, ownerUrl], ['pool_mode = session', 'default_pool_size = 40']);
  const named = { ...settings, DATABASE_URL: inSessions.urlOf(url), DATABASE_DIRECT_URL: url };
  expect((await startService({ ...named, DATABASE_URL: unnamed(inSessions) })).process.exitCode).toBe(1);
  const service = await startService({ ...named, DATABASE_OWNER_URL: inSessions.urlOf(ownerUrl) });
  applyStartSettings({ databaseUrl: url, authSecret: settings.AUTH_SECRET, appUrl: 'http://127.0.0.1' });
  key = await (await makeCompany()).newKey();
  expect((await send(service)).status).toBe(200);
  await service.stop();
  await inSessions.stop();
});

test('without DATABASE_DIRECT_URL behind a pooler, the reconciliation delivers; the start says so (X19)', async () => {
  applyStartSettings({ databaseUrl: url, authSecret: settings.AUTH_SECRET, appUrl: 'http://127.0.0.1' });
  company = await makeCompany();
  key = await company.newKey();
  const [cookie = ''] = await signInMany(admin, company, 1);
  const service = await startService({ ...settings, DATABASE_URL: pooler.urlOf(url) });
  expect(service.output()).toContain('DATABASE_DIRECT_URL: is not set');
  const reader = await openReader(service.url, cookie);
  expect((await send(service)).status).toBe(200);
  await expect.poll(() => numbersIn(reader.text()), { timeout: 20_000 }).toEqual([1]);
  reader.leave();
  await service.stop();
});

test('behind a pooler the role has the time limits, and a locked send gets 503 (X3)', async () => {
  expect(await limits(url)).toEqual(['10000', '2000', '5000']);
  // Sessions that the pooler opened earlier lack the new limits of the role; a new pooler has no such sessions.
  await pooler.stop();
  pooler = await startPooler([url]);
  expect(await limits(pooler.urlOf(url))).toEqual(['10000', '2000', '3000']);
  const service = await startService({ ...settings, DATABASE_URL: pooler.urlOf(url), DATABASE_DIRECT_URL: url });
  expect(service.output()).not.toMatch(/DATABASE_(DIRECT_)?URL:/);
  await admin.begin(async (transaction) => {
    await transaction`select 1 from companies where id = ${company.owner.companyId} for update`;
    const locked = await send(service);
    expect([locked.status, (await locked.json()).code]).toEqual([503, 'unavailable']);
  });
  expect((await send(service)).status).toBe(200);
  await service.stop();
});
