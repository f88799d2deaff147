import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { expectCommon, good } from '#e2e/support/http/interface.ts';
import { type MovingAddress, startMovingAddress } from '#e2e/support/proxies/moving-address.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';

const url = new URL(process.env.DATABASE_URL ?? '');
let address: MovingAddress;
let service: Service;
let company: Company;

beforeAll(async () => {
  address = await startMovingAddress(Number(url.port));
  url.port = String(address.port);
  [service, company] = await Promise.all([
    startService({ DATABASE_URL: url.href, AUTH_SECRET: 'm'.repeat(40), HOST: '127.0.0.1' }),
    makeCompany(),
  ]);
});
afterAll(async () => {
  await service?.stop();
  await address?.stop();
});

async function send(key: string) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const began = performance.now();
  const init = { method: 'POST', headers, body: JSON.stringify(good) };
  const response = await fetch(`${service.url}/api/v1/notif.php`, init);
  expectCommon(response);
  const { code } = (await response.json()) as { code?: string };
  return {
    status: response.status,
    code,
    retryAfter: response.headers.get('retry-after'),
    ms: performance.now() - began,
  };
}

// Reasons of a 503 on a machine whose other tests leave no time or no connections. A call on a closed
// connection fails with another one.
const busyReasons = ['CONNECT_TIMEOUT', 'ANSWER_TIMEOUT', 'QUEUE_TIMEOUT', '53300', '57014', '55P03'];

// The reasons of 503s, from lines about calls: a lost connection of LISTEN has a line too.
const listReasons = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.includes('"requestId"') && line.includes('the database is out of reach'))
    .map((line) => /"code":"(\w+)"/.exec(line)?.[1] ?? line);

/** Makes six calls at once; again when the machine was too busy for them. Returns what they got. */
async function sendTogether(key: string): Promise<{ statuses: number[]; reasons: string[] }> {
  for (let attempt = 0; ; attempt++) {
    const said = service.output().length;
    const together = await Promise.all(Array.from({ length: 6 }, () => send(key)));
    const statuses = together.map(({ status }) => status);
    if (statuses.every((status) => status === 200)) return { statuses, reasons: [] };
    // The log line may come after the answer.
    await expect.poll(() => listReasons(service.output().slice(said)).length).toBeGreaterThan(0);
    const reasons = listReasons(service.output().slice(said));
    if (attempt === 5 || !reasons.every((reason) => busyReasons.includes(reason))) return { statuses, reasons };
  }
}

test('idle connections that a proxy closed cause no failed call', async () => {
  const key = await company.newKey();
  for (let round = 0; round < 5; round++) {
    expect(await sendTogether(key)).toEqual({ statuses: Array(6).fill(200), reasons: [] });
    address.endOpen();
    // After one more request the service has read the end of its sockets.
    await fetch(`${service.url}/health/live`);
  }
});

test('calls to a database that wakes up get 503 with Retry-After, and 200 afterwards (X2)', async () => {
  const key = await company.newKey();
  address.sleep(5000);
  const first = await send(key);
  expect(first).toMatchObject({ status: 503, code: 'unavailable', retryAfter: '5' });
  expect(first.ms).toBeLessThan(5000);
  await expect.poll(async () => (await send(key)).status, { timeout: 15_000, interval: 500 }).toBe(200);
});
