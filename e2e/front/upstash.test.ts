import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createClient } from 'redis';
import { afterAll, expect, test } from 'vitest';
import { makeCompany } from '#e2e/fixtures/company.ts';
import { expectCommon } from '#e2e/fixtures/interface.ts';
import { noteSeen } from '#e2e/fixtures/secrets.ts';
import { freePort, startService } from '#e2e/fixtures/service.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) {
  if (process.env.CI) throw new Error('redis-server is missing; CI must install it (the package redis-server).');
  process.stdout.write('redis-server is not installed: the Upstash tests did not run.\n');
}

const stops: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function startRedis() {
  const port = await freePort();
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  stops.push(() => server.kill('SIGKILL'));
  const client = createClient({
    url: `redis://127.0.0.1:${port}`,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: 50 },
  });
  client.on('error', () => {});
  await client.connect();
  stops.push(() => client.destroy());
  return { server, client };
}

type Redis = Awaited<ReturnType<typeof startRedis>>;
const sha1 = (script: string) => createHash('sha1').update(script).digest('hex');

/**
 * Upstash's REST interface in front of a real Redis: a command as a JSON array, or several at `/pipeline`. Its
 * scripts begin with a line of flags that stock Redis refuses, so that line is taken off.
 */
async function startRest({ client }: Redis) {
  const scripts = new Map<string, string>();
  const state = { delayMs: 0, asked: 0 };
  const run = async ([name = '', ...args]: string[]): Promise<unknown> => {
    if (name.toLowerCase() === 'evalsha' && scripts.has(args[0] ?? ''))
      return client.sendCommand(['EVAL', scripts.get(args[0] ?? '') ?? '', ...args.slice(1)]);
    if (name.toLowerCase() !== 'eval') return client.sendCommand([name, ...args]);
    const stripped = (args[0] ?? '').replace(/^#!.*\n/, '\n');
    scripts.set(sha1(args[0] ?? ''), stripped);
    return client.sendCommand(['EVAL', stripped, ...args.slice(1)]);
  };
  const answerOne = (command: unknown) =>
    run((command as unknown[]).map(String)).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.message }),
    );
  const server = createServer(async (request, response) => {
    state.asked++;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown[] | unknown[][];
    const answer = request.url === '/pipeline' ? await Promise.all(body.map(answerOne)) : await answerOne(body);
    setTimeout(() => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer));
    }, state.delayMs);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${port}`, state };
}

async function startLimited() {
  const redis = await startRedis();
  const rest = await startRest(redis);
  const service = await startService({
    ...{ DATABASE_URL: process.env.DATABASE_URL, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' },
    ...{ UPSTASH_REDIS_REST_URL: rest.url, UPSTASH_REDIS_REST_TOKEN: 'a-token' },
  });
  stops.push(() => service.stop());
  const ping = async (key: string) => {
    const started = performance.now();
    const response = await fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers: { 'X-API-Key': key } });
    expectCommon(response);
    await response.text();
    return {
      status: response.status,
      left: Number(response.headers.get('x-ratelimit-remaining')),
      ms: performance.now() - started,
    };
  };
  return { redis, rest, ping };
}

type Limited = Awaited<ReturnType<typeof startLimited>>;

// Its windows are cut by the clock's minutes: 61 requests that straddle one say nothing, so they are asked again.
async function within60s<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (;;) {
    const minute = Math.floor(Date.now() / 60_000);
    const value = await attempt();
    if (Math.floor(Date.now() / 60_000) === minute) return value;
  }
}

async function checkAnswers({ redis, rest, ping }: Limited): Promise<void> {
  const company = await makeCompany();
  const answers = await within60s(async () => {
    const key = await company.newKey();
    const all: { status: number; left: number }[] = [];
    for (let request = 0; request < 62; request++) all.push(await ping(key));
    return { key, all };
  });
  const expected = [...Array.from({ length: 60 }, (_, index) => [200, 59 - index]), [429, 0], [429, 0]];
  expect(answers.all.map(({ status, left }) => [status, left])).toEqual(expected);
  expect(rest.state.asked).toBeGreaterThan(60);
  const names = await redis.client.keys('*');
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(name).not.toContain(answers.key.slice(4, 24));
    const kind = await redis.client.type(name);
    const value =
      kind === 'hash' ? await redis.client.hGetAll(name) : kind === 'string' ? await redis.client.get(name) : kind;
    noteSeen('redis', JSON.stringify([name, value]));
  }
}

async function checkSlow({ rest, ping }: Limited): Promise<void> {
  const company = await makeCompany();
  const key = await company.newKey();
  rest.state.delayMs = 3000;
  const slow = await ping(key);
  expect([slow.status, slow.left]).toEqual([200, 59]);
  expect(slow.ms, 'the budget is 150 ms').toBeLessThan(1500);
  const asked = rest.state.asked;
  expect((await ping(key)).left).toBe(58);
  expect(rest.state.asked, 'it is not asked again for 5 s').toBe(asked);
  rest.state.delayMs = 0;
}

async function checkGone({ redis, rest, ping }: Limited): Promise<void> {
  const company = await makeCompany();
  const key = await company.newKey();
  redis.server.kill('SIGKILL');
  const asked = rest.state.asked;
  const askAgain = async () => {
    expect((await ping(await company.newKey())).status).toBe(200);
    return rest.state.asked;
  };
  await expect.poll(askAgain, { timeout: 15_000, interval: 200 }).toBeGreaterThan(asked);
  for (let request = 0; request < 60; request++) expect((await ping(key)).status).toBe(200);
  expect((await ping(key)).status).toBe(429);
}

const limited = hasRedis ? await startLimited() : null;

test('with Upstash the answers are the same: 59 … 0, then 429; and no Redis name holds a key', async () => {
  if (limited) await checkAnswers(limited);
});

test('when Upstash is slow PostgreSQL counts after 150 ms, and goes on for 5 s: no header says Limit 0', async () => {
  if (limited) await checkSlow(limited);
});

test('when Redis is gone PostgreSQL counts, still exactly 60', async () => {
  if (limited) await checkGone(limited);
});
