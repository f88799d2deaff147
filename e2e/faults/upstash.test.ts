import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { p99, rounds } from '#e2e/support/figures.ts';
import { countStatuses, currentMinute, inOneMinute, keepPinging, ping, pingOften } from '#e2e/support/http/pings.ts';
import { lacks } from '#e2e/support/programs.ts';
import { type Lie, startUpstash, type Upstash } from '#e2e/support/proxies/upstash.ts';
import { noteSeen } from '#e2e/support/service/secrets.ts';
import { besideTested, startService } from '#e2e/support/service/service.ts';
import { fingerprintOf } from '#server/keys/keys.ts';

async function start() {
  const upstash = await startUpstash();
  afterAll(upstash.stop);
  const service = await startService({ ...besideTested, ...upstash.variables });
  return { upstash, service };
}

let started: Awaited<ReturnType<typeof start>>;
if (!lacks('redis-server')) started = await start();
beforeEach(({ skip }) => skip(lacks('redis-server')));

const count = (output: string, what: RegExp) => output.match(what)?.length ?? 0;
const alarm = /"level":50[^\n]*Upstash does not count the rate limit/g;
const allClear = /Upstash counts the rate limit again/g;

// Ten at a time: with more, Upstash could exceed its timeout on a slow machine.
const pingTimes = (key: string, times: number) => pingOften([started.service.url], key, times, 10);

async function pingFor(seconds: number) {
  // More keys than one company may have.
  const companies = [await makeCompany(), await makeCompany()];
  const newKey = (_: unknown, place: number) => companies[place % companies.length]?.newKey() ?? '';
  const keys = await Promise.all(Array.from({ length: seconds + 2 }, newKey));
  return keepPinging(started.service.url, keys, 50, (sent) => sent >= 50 * seconds);
}

test('with Upstash the headers count 59 … 0, then 429; no Redis name contains a key (R1)', async () => {
  const { upstash, service } = started;
  const { newKey } = await makeCompany();
  const otherKey = await newKey();
  const isAsked = async () => {
    const before = upstash.state.asked;
    await ping(service.url, otherKey);
    return upstash.state.asked > before;
  };
  // After a late answer PostgreSQL counts for 5 s, so an attempt waits for Upstash; its last request only checks that.
  const count63 = async () => {
    await expect.poll(isAsked, { interval: 200 }).toBe(true);
    const key = await newKey();
    const [before, minute] = [upstash.state.asked, currentMinute()];
    const told: number[][] = [];
    for (let request = 0; request < 63; request++) {
      const { status, left } = await ping(service.url, key);
      told.push([status, left]);
    }
    const isWhole = upstash.state.asked - before === 63 && minute === currentMinute();
    return { key, told: told.slice(0, 62), isWhole };
  };
  let counted = await count63();
  for (let attempt = 1; attempt < 10 && !counted.isWhole; attempt++) counted = await count63();
  const { key, told, isWhole } = counted;
  expect(isWhole).toBe(true);
  expect(told).toEqual([...Array.from({ length: 60 }, (_, index) => [200, 59 - index]), [429, 0], [429, 0]]);
  const { client } = upstash;
  const names = await client.keys('*');
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(name).not.toContain(key.slice(4, 24));
    const isHash = (await client.type(name)) === 'hash';
    noteSeen('redis', JSON.stringify([name, isHash ? await client.hGetAll(name) : await client.get(name)]));
  }
});

test('a Redis that is flushed under load admits at most 60 per window (X6)', async ({ company }) => {
  const { upstash, service } = started;
  for (let emptied = 0; emptied < rounds(3, 100); emptied++) {
    const alarms = count(service.output(), alarm);
    const all = await inOneMinute(async () => {
      const key = await company.newKey();
      const [before] = await Promise.all([pingTimes(key, 40), upstash.client.sendCommand(['FLUSHALL'])]);
      return [...before, ...(await pingTimes(key, 90))];
    });
    const { 200: admitted = 0, 429: refused = 0 } = countStatuses(all);
    expect(admitted + refused).toBe(130);
    expect(admitted).toBeGreaterThanOrEqual(60);
    // On a busy machine Upstash may time out once; then PostgreSQL has a window as well.
    const fellBack = count(service.output(), alarm) > alarms;
    expect(admitted).toBeLessThanOrEqual(fellBack ? 160 : 100);
  }
});

test('a Redis that hangs adds at most 200 ms at p99 and fails no call (X5)', async () => {
  const { upstash, service } = started;
  const seconds = rounds(2, 60);
  const before = await pingFor(seconds);
  upstash.server.kill('SIGSTOP');
  const saidBefore = service.output().length;
  const hanging = await pingFor(seconds);
  expect(countStatuses(hanging)).toEqual({ 200: 50 * seconds });
  expect(p99(hanging) - p99(before)).toBeLessThan(rounds(3000, 200));
  const key = await (await makeCompany()).newKey();
  const all = await Promise.all(Array.from({ length: 70 }, () => ping(service.url, key)));
  expect(countStatuses(all)).toEqual({ 200: 60, 429: 10 });
  // Output from before the stop may arrive late, so an all-clear may precede the alarm, but not follow it.
  const [, ...behindAlarm] = service.output().slice(saidBefore).split(alarm);
  expect(behindAlarm.length).toBeLessThanOrEqual(1);
  expect(count(behindAlarm.join(), allClear)).toBe(0);
  // The line of the alarm may arrive after the answers.
  await expect.poll(() => count(service.output(), alarm) - count(service.output(), allClear)).toBe(1);
});

test('without Redis each key still has exactly 60; Upstash counts again when it is back (X4)', async ({ company }) => {
  const { upstash, service } = started;
  upstash.server.kill('SIGCONT');
  const again = async () => {
    await ping(service.url, await company.newKey());
    return service.output();
  };
  await expect.poll(again, { timeout: 20_000, interval: 100 }).toContain('Upstash counts the rate limit again');
  upstash.server.kill('SIGKILL');
  const keys = await (await makeCompany()).newKeys(rounds(5, 40));
  for (const key of keys) {
    const all = await Promise.all(Array.from({ length: 100 }, () => ping(service.url, key)));
    // The first call on the broken connection may have been counted before it broke.
    expect(countStatuses(all)).toEqual({ 200: 60, 429: 40 });
    expect(all.filter(({ status }) => status === 200).map(({ left }) => left)).toContain(59);
  }
});

const text =
  (status: number, type: string, body: string): Lie =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'Content-Type': type }).end(body);
const json = (value: unknown) => text(200, 'application/json', JSON.stringify(value));

const toldInOrder = [...Array.from({ length: 60 }, (_, index) => [true, 59 - index]), [false, 0]];

const lies: [string, Lie][] = [
  ['a page of a proxy', text(200, 'text/html', '<!doctype html><h1>Selamat datang</h1>')],
  ['an error page', text(502, 'text/html', '<h1>Bad Gateway</h1>')],
  ['a status 500 in JSON', text(500, 'application/json', '{"error":"boom"}')],
  ['a status 401', text(401, 'application/json', '{"error":"WRONGPASS"}')],
  ['half of an answer', text(200, 'application/json', '{"result":[1,')],
  ['nothing', text(200, 'application/json', '')],
  ['a success without counts', json({ result: 'OK' })],
  ['no result', json({})],
  ['null', json({ result: null })],
  ['a negative count', json({ result: [-5, 60] })],
  ['no use at all', json({ result: [0, 60] })],
  ['a count that is no whole number', json({ result: [1.5, 60] })],
  ['a count as a word', json({ result: ['many', 60] })],
  ['another limit', json({ result: [1, 1_000_000] })],
  ['one figure of two', json({ result: [1] })],
  ['a redirect to nowhere', (response) => void response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end()],
  ['a connection that is cut', (response) => void response.destroy()],
  ['an answer that never ends', (response) => void response.writeHead(200).write('{"result":')],
];

/** The rate limiter of a fresh process, which knows of no outage. */
async function freshLimiter({ variables }: Upstash) {
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.stubEnv('LOG_LEVEL', 'silent');
  return import('#server/api/rate-limit.ts');
}

/** Counts 61 requests of a new key in a fresh process, and how often Upstash heard of them (0 on a busy machine). */
async function countToTheLimit(newKey: () => Promise<string>) {
  const { state } = started.upstash;
  const { countRequest } = await freshLimiter(started.upstash);
  const fingerprint = fingerprintOf(await newKey());
  const before = state.asked;
  const told = [];
  for (let request = 0; request < 61; request++) {
    const answer = await countRequest(fingerprint);
    told.push([answer?.admitted, answer?.remaining]);
  }
  return { told, asked: state.asked - before };
}

test('when Upstash answers nonsense, PostgreSQL counts and the headers stay sane (X4)', async ({ company }) => {
  const { state } = started.upstash;
  onTestFinished(() => {
    state.lie = null;
    vi.unstubAllEnvs();
  });
  for (const [name, lie] of lies) {
    state.lie = lie;
    let counted = await countToTheLimit(() => company.newKey());
    for (let attempt = 0; attempt < 10 && counted.asked === 0; attempt++)
      counted = await countToTheLimit(() => company.newKey());
    expect([name, counted]).toEqual([name, { told: toldInOrder, asked: 1 }]);
  }
});
