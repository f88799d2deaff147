import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { scrape, sumOf } from '#e2e/machines/metrics.ts';
import { password } from '#e2e/support/data/company.ts';
import { randomAddress } from '#e2e/support/data/random.ts';
import { test } from '#e2e/support/data/test.ts';
import { withKey } from '#e2e/support/http/interface.ts';
import { startBalancer, startBufferingProxy, startRoundRobin } from '#e2e/support/proxies/proxy.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';

const path = '/api/v1/notif.php';
// Two balancers of one network and a stranger. For the service only 127.0.0.1 is this machine.
const [balancer, otherBalancer, stranger] = ['127.0.1.1', '127.0.1.2', '127.0.2.1'] as const;
const metricsPort = await freePort();
const { DATABASE_URL, AUTH_SECRET } = process.env;
const start = (more: Record<string, string>) => startService({ DATABASE_URL, AUTH_SECRET, ...more });
const [trusting, unset] = await Promise.all([
  start({ TRUSTED_PROXIES: '127.0.1.0/24' }),
  start({ METRICS_PORT: String(metricsPort) }),
]);

type Asked = { from?: string; headers?: Record<string, string>; body?: string };

// Asks from an address of this machine. An `X-Forwarded-For` is sent as it is.
async function ask({ url }: Service, target: string, { from = balancer, headers = {}, body }: Asked) {
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request(url + target, { method, headers, localAddress: from, agent: false });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('keys, refused calls and sessions name the client, not the balancer', async ({ company, companyId }) => {
  const [key, otherKey] = [await company.newKey(), await company.newKey()];
  const [calling, refused, signing] = [randomAddress(), randomAddress(), randomAddress()];
  const call = (client: string, secret: string, search: string) =>
    ask(trusting, path + search, { headers: { ...withKey(secret), 'X-Forwarded-For': `${client}, ${otherBalancer}` } });
  expect(await call(calling, key, '?aksi=ping')).toBe(200);
  expect(await call(refused, otherKey, '?aksi=lain')).toBe(400);
  const headers = { Origin: trusting.url, 'X-Forwarded-For': signing, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ username: company.username, password });
  expect(await ask(trusting, '/api/auth/sign-in', { headers, body })).toBe(204);
  const seen = async () => {
    const rows = await sql()<{ address: string }[]>`
      select address from key_uses where company_id = ${companyId}
      union select address from refusals where company_id = ${companyId}
      union select address from sessions where company_id = ${companyId}`;
    return rows.map(({ address }) => address).sort();
  };
  await expect.poll(seen, { timeout: 20_000 }).toEqual([calling, refused, signing].sort());
  expect(trusting.output()).not.toMatch(/"address":"127\.0\.1\./);
});

test('a proxy that is not trusted is named once in the log with the setting, and is counted', async () => {
  const warnings = () => unset.output().match(/^.*"setting":"TRUSTED_PROXIES".*$/gm) ?? [];
  const headers: Record<string, string>[] = [{ 'X-Forwarded-For': '203.0.113.9' }, { Forwarded: 'for=203.0.113.9' }];
  for (const one of [...headers, ...headers]) await ask(unset, `${path}?aksi=ping`, { headers: one });
  await ask(unset, '/login', { headers: headers[0] });
  await ask(unset, '/login', { from: '127.0.0.1', headers: headers[0] });
  await ask(unset, '/login', { from: stranger });
  await expect.poll(() => warnings().length, { timeout: 10_000 }).toBe(1);
  expect(JSON.parse(warnings()[0] ?? '')).toMatchObject({ level: 40, address: balancer });
  expect(sumOf(await scrape(metricsPort), 'notif_untrusted_proxy_requests_total')).toBe(5);
});

test('notif doctor asks through the proxy about addresses, machines and streams', async () => {
  const examine = async (service: Service, proxy?: { url: string; stop: () => Promise<void> }, name = 'proxy') => {
    const APP_URL = proxy?.url ?? service.url;
    const { output } = await runNotif(['doctor', '--json'], { APP_URL, DATABASE_OWNER_URL: undefined });
    await proxy?.stop();
    const { checks } = JSON.parse(output) as { checks: { name: string }[] };
    return checks.find((one) => one.name === name);
  };
  const roundRobin = await startRoundRobin([trusting.url, unset.url], await freePort());
  const [direct, trusted, untrusted, silent, forwarded, held, both] = await Promise.all([
    examine(unset),
    examine(trusting, await startBalancer(trusting.url, balancer)),
    examine(unset, await startBalancer(unset.url, balancer)),
    examine(trusting, await startBalancer(trusting.url, balancer, null)),
    examine(unset, await startBalancer(unset.url, balancer, 'Forwarded')),
    examine(unset, await startBufferingProxy(unset.url), 'stream'),
    examine(unset, roundRobin, 'machines'),
  ]);
  expect(direct).toMatchObject({ state: 'ok', sentence: expect.stringContaining('without a proxy') });
  expect(trusted).toMatchObject({ state: 'ok', sentence: expect.stringContaining(`${balancer} is trusted`) });
  expect(untrusted).toMatchObject({ state: 'error', cure: expect.stringContaining(`TRUSTED_PROXIES=${balancer} `) });
  expect(silent).toMatchObject({ state: 'error', sentence: expect.stringContaining('own address is known') });
  expect(forwarded).toMatchObject({ state: 'error', sentence: expect.stringContaining('own address is known') });
  expect(held).toMatchObject({ state: 'warning', cure: expect.stringContaining('/portal/stream') });
  const machines = /^One build answers: .*\(\S+, \w{8}\), .*\(\S+, \w{8}\)\.$/;
  expect(both).toMatchObject({ state: 'ok', sentence: expect.stringMatching(machines) });
  const forged = { 'X-Notif-Doctor': `${Math.floor(Date.now() / 1000)}.${'0'.repeat(64)}` };
  expect(await ask(trusting, '/health/client', { headers: forged })).toBe(404);
  expect(await ask(trusting, '/health/client', {})).toBe(404);
  expect(await ask(trusting, '/portal/stream', { headers: forged })).toBe(401);
});
