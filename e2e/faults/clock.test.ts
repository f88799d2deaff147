import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { type Clock, makeClock } from '#e2e/faults/skewed.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { rounds } from '#e2e/support/figures.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { numbersIn, openReader, signInMany } from '#e2e/support/http/open-streams.ts';
import { countStatuses, inOneMinute, ping, pingOften } from '#e2e/support/http/pings.ts';
import { lacks } from '#e2e/support/programs.ts';
import { startUpstash } from '#e2e/support/proxies/upstash.ts';
import { besideTested, type Service, startService } from '#e2e/support/service/service.ts';

// Four services share a database and Upstash. The clocks of two are right, the others an hour ahead and an hour behind.
async function start() {
  const upstash = await startUpstash();
  const clocks = await Promise.all(['+0', '+0', '+3600', '-3600'].map(makeClock));
  for (const end of [upstash.stop, ...clocks.map(({ remove }) => remove)]) afterAll(end);
  const settings = { ...besideTested, ...upstash.variables };
  const services = await Promise.all(clocks.map(({ variables }) => startService({ ...settings, ...variables })));
  return { upstash, clocks, services };
}

const isMissing = lacks('faketime', 'redis-server');
let started: Awaited<ReturnType<typeof start>>;
if (!isMissing) started = await start();
beforeEach(({ skip }) => skip(isMissing));

async function expectSixty(company: Company, services: Service[], howOften: number, atOnce = 200): Promise<void> {
  const urls = services.map(({ url }) => url);
  for (let time = 0; time < howOften; ) {
    const [before, changes, logged] = [countOut(services), countChanges(services), countLogged(services)];
    const all = await inOneMinute(async () => pingOften(urls, await company.newKey(), 200, atOnce));
    // Calls are logged in order, after their answers. Once one more call is logged, all earlier ones are.
    const last = await company.newKey();
    for (const url of urls) await ping(url, last);
    const admitted = all.filter(({ status }) => status === 200).length + services.length;
    await expect.poll(() => countLogged(services), { timeout: 10_000 }).toBeGreaterThanOrEqual(logged + admitted);
    // On a busy machine Upstash may answer too late; then PostgreSQL counts as well, and the round proves nothing.
    if (countChanges(services) !== changes) {
      await untilOut(services, company, before);
      continue;
    }
    time += 1;
    expect(countStatuses(all)).toEqual({ 200: 60, 429: 140 });
    const left = all.filter(({ status }) => status === 200).map((answer) => answer.left);
    expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  }
}

const countLines = (services: Service[], words: RegExp) =>
  services.reduce((sum, { output }) => sum + (output().match(words)?.length ?? 0), 0);
const countLogged = (services: Service[]) => countLines(services, /"status":200.*"notif"/g);
/** Counts the services that use PostgreSQL because Upstash failed. */
const countOut = (services: Service[]) =>
  countLines(services, /Upstash does not count the rate limit/g) -
  countLines(services, /Upstash counts the rate limit again/g);

/** Counts how often a service switched between Upstash and PostgreSQL. */
const countChanges = (services: Service[]) => countLines(services, /Upstash (?:does not count|counts) the rate limit/g);

async function untilOut(services: Service[], company: Company, howMany: number): Promise<void> {
  const askAll = async () => {
    for (const { url } of services) await ping(url, await company.newKey());
    return countOut(services);
  };
  await expect.poll(askAll, { timeout: 30_000, interval: 300 }).toBe(howMany);
}

test('processes with one clock, with PostgreSQL any clock, admit 60 of 200 calls (R2, T5, X12)', async () => {
  const { upstash, services } = started;
  const company = await makeCompany();
  const howOften = rounds(2, 100);
  const asked = upstash.state.asked;
  // Upstash's minutes are those of the process's clock.
  await expectSixty(company, services.slice(0, 2), howOften, 15);
  // A call that Upstash answers late is decided by PostgreSQL alone.
  expect(upstash.state.asked - asked).toBeGreaterThan(190 * howOften);
  upstash.server.kill('SIGKILL');
  await untilOut(services, company, services.length);
  await expectSixty(company, services, howOften);
});

const sendOnce = async ({ url }: Service, key: string, judul: string, once: string) => {
  const answer = await sendTo(url, key, { judul, isi: 'Isi' }, { 'Idempotency-Key': once });
  expect(answer.status).toBe(200);
  return answer.headers.get('idempotent-replayed');
};

test('an idempotency key lasts 24 h by the database’s clock; numbers and times grow (X12)', async ({ company }) => {
  const services = started.services.slice(1);
  const { companyId } = company.owner;
  const key = await company.newKey();
  const once = randomUUID();
  const age = (hours: number) => sql()`
    update idempotency set created_at = now() - ${hours} * interval '1 hour' where company_id = ${companyId}`;
  const all = async () => {
    const answers = [];
    for (const service of services) answers.push(await sendOnce(service, key, 'Sekali', once));
    return answers;
  };
  expect(await all()).toEqual([null, 'true', 'true']);
  await age(23.5);
  expect(await all()).toEqual(['true', 'true', 'true']);
  await age(24.5);
  expect(await all()).toEqual([null, 'true', 'true']);
  for (let sent = 0; sent < 12; sent++)
    await sendOnce(services[sent % 3] as Service, key, `Nomor ${sent}`, randomUUID());
  const rows = await sql()<{ no: number; ageMs: number }[]>`
    select no, (extract(epoch from now() - created_at) * 1000)::float as "ageMs" from notifications
    where company_id = ${companyId} order by no`;
  expect(rows.map(({ no }) => no)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1));
  expect(rows.map(({ ageMs }) => ageMs)).toEqual(rows.map(({ ageMs }) => ageMs).sort((one, other) => other - one));
  for (const { ageMs } of rows) expect(ageMs).toBeLessThan(600_000);
});

test('a process whose clock is an hour ahead deletes nothing too early (X12)', async ({ company, companyId }) => {
  await sendOnce(started.services[0] as Service, await company.newKey(), 'Baru', 'belum-lama');
  await sendOnce(started.services[0] as Service, await company.newKey(), 'Lama', 'sudah-lama');
  await signInMany(sql(), company, 1);
  await sql()`update idempotency set created_at = now() - case idempotency_key when 'belum-lama' then 24.5 else 25.5 end * interval '1 hour'
    where company_id = ${companyId}`;
  await sql()`update sessions set expires_at = now() + interval '30 minutes' where company_id = ${companyId}`;
  const script = `
    const { deleteExpired } = await import('#e2e/support/data/calls.ts');
    await deleteExpired();
    // Behind the last lines of the log.
    process.on('exit', () => console.log('done', Date.now()));
    process.exit(0);`;
  const ahead = (started.clocks[2] as Clock).variables;
  const run = () => startService({ ...besideTested, ...ahead }, ['--input-type=module', '-e', script], /done/);
  let { output } = await run();
  // A deletion that meets a lock of another test is left to the next hour.
  for (let attempt = 0; attempt < 5 && output().includes('an hourly job failed'); attempt++) ({ output } = await run());
  expect(Number(/done (\d+)/.exec(output())?.[1]) - Date.now()).toBeGreaterThan(3_000_000);
  const kept = await sql()`select idempotency_key as name from idempotency where company_id = ${companyId}`;
  expect([kept.map(({ name }) => name), output()]).toEqual([['belum-lama'], expect.not.stringContaining('failed')]);
  expect(await sql()`select from sessions where company_id = ${companyId}`).toHaveLength(1);
});

test('when a process’s clock jumps, streams stay open and sessions stay valid (X12)', async ({ company }) => {
  const [clock, service] = [started.clocks[0] as Clock, started.services[0] as Service];
  const key = await company.newKey();
  const [cookie = ''] = await signInMany(sql(), company, 1);
  const reader = await openReader(service.url, cookie);
  await expect.poll(reader.text, { timeout: 20_000 }).toContain('event: ping');
  for (const [place, jump] of ['+3600', '-3600', '+0'].entries()) {
    await clock.set(jump);
    await sendOnce(service, key, `Lompatan ${place}.`, randomUUID());
    await expect.poll(reader.text, { timeout: 20_000 }).toContain(`"Lompatan ${place}."`);
    expect((await fetch(`${service.url}/portal/feed?after=0`, { headers: { cookie } })).status).toBe(200);
  }
  expect(numbersIn(reader.text())).toEqual([1, 2, 3]);
  reader.leave();
});
