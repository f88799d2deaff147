import { readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { seedCompany } from '#e2e/faults/send-log.ts';
import { test } from '#e2e/support/data/test.ts';
import { p99, percentile, rounds } from '#e2e/support/figures.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { keepPinging, ping } from '#e2e/support/http/pings.ts';
import { askRaw, connectTo, drip } from '#e2e/support/http/raw.ts';
import { settledMemory } from '#e2e/support/running.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { besideTested, freePort, startService } from '#e2e/support/service/service.ts';

const path = '/api/v1/notif.php';
const mostFiles = 2048;
// A process that may open few files, so that the attack reaches the limit.
const inspector = `127.0.0.1:${await freePort()}`;
const service = await startService(besideTested, [`--inspect=${inspector}`, 'server/main.js'], undefined, mostFiles);

const countFiles = async () => (await readdir(`/proc/${service.process.pid}/fd`)).length;

/** Opens a connection from a local address, sends `first`, then runs `goOn`. */
function attack(address: string, first: string, goOn?: (socket: Socket) => void): Socket {
  const socket = connectTo(service.url, { localAddress: address });
  socket.on('connect', () => {
    socket.write(first);
    goOn?.(socket);
  });
  return socket;
}

const head = (...lines: string[]) => [`POST ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n');

const pageHead = (target: string, ...lines: string[]) =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n${lines.join('\r\n')}\r\n\r\n`;
const setup = `Next-Action: ${actionNamed('setupAction').id}`;
const action = pageHead('/setup', setup, 'Content-Type: text/plain', 'Content-Length: 9000');

async function findLargest(): Promise<string> {
  const page = await (await fetch(`${service.url}/login`)).text();
  const scripts = [...new Set(page.match(/\/_next\/static\/[^"\\]+\.js/g))];
  const sizeOf = async (script: string) => (await (await fetch(service.url + script)).arrayBuffer()).byteLength;
  const sizes = scripts.map(async (script) => ({ script, size: await sizeOf(script) }));
  return (await Promise.all(sizes)).reduce((largest, one) => (one.size > largest.size ? one : largest)).script;
}

/** Slow headers and bodies of the interface, an action and a sign-in, answers that are not read, silence. */
async function openSlow(address: string, howMany: number): Promise<Socket[]> {
  // More than the socket buffers hold.
  const asked = `GET ${await findLargest()} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20);
  const ways = [
    () => attack(address, `${head('X-Slow: ')}`, drip('a')),
    () => attack(address, `${head('Content-Type: application/json', 'Content-Length: 60000')}\r\n\r\n{`, drip(' ')),
    () => attack(address, asked, (socket) => socket.pause()),
    () => attack(address, ''),
    () => attack(address, `${action}["`, drip('a')),
    () => attack(address, `${pageHead('/api/auth/sign-in', 'Content-Length: 9000')}{`, drip(' ')),
  ];
  return Array.from({ length: howMany }, (_, place) => (ways[place % ways.length] as () => Socket)());
}

const large = 'x'.repeat(64 * 1024);

/** Sends 20 MB bodies, with Content-Length or chunked, until stopped. Returns how many were refused. */
async function keepSendingLarge(key: string, chunked: boolean, isOver: () => boolean): Promise<number> {
  let refused = 0;
  while (!isOver()) {
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${20 * 1024 * 1024}`;
    const begin = `${head(`X-API-Key: ${key}`, 'Content-Type: application/json', length)}\r\n\r\n`;
    const part = chunked ? `10000\r\n${large}\r\n` : large;
    const socket = connectTo(service.url, { localAddress: '127.0.0.55' });
    const sendOn = () => {
      let left = 320;
      const more = () => {
        while (left-- > 0 && socket.writable && socket.write(part));
      };
      socket.on('drain', more);
      more();
    };
    // Until the service closes the connection.
    const { status } = await askRaw(socket, begin, 60_000, sendOn, () => false);
    if (status === 400 || status === 429) refused += 1;
  }
  return refused;
}

const measureHeld = async () => (await settledMemory(inspector)).rss / 1024 / 1024;

test('500 slow connections and 20 MB bodies delay no ping, cost no memory, are closed (T12)', async ({ company }) => {
  const seconds = rounds(3, 60);
  const keys = await company.newKeys(45);
  await keepPinging(service.url, keys, 50, (sent) => sent >= 50);
  // The first pages load modules into memory, which must not count as the attack's.
  for (let count = 0; count < 50; count++) await findLargest();
  const [before, filesBefore] = [await measureHeld(), await countFiles()];
  const slow = await openSlow('127.0.0.66', 500);
  let over = false;
  const senders = [false, true].map((chunked) => keepSendingLarge(keys[chunked ? 0 : 1] ?? '', chunked, () => over));
  const answers = await keepPinging(service.url, keys.slice(2), 40, (sent) => sent >= 40 * seconds);
  const grownMb = (await measureHeld()) - before;
  over = true;
  const refused = await Promise.all(senders);
  expect(Math.max(...refused)).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // A short run shares the processors with browser tests, which slow these pings without any attack.
  expect(p99(answers)).toBeLessThan(rounds(10_000, 250));
  // 12 MB were measured.
  expect(grownMb).toBeLessThan(50);
  if (seconds >= 60) await expect.poll(countFiles, { timeout: 30_000 }).toBeLessThan(filesBefore + 20);
  for (const socket of slow) socket.destroy();
});

const largest = 64 * 1024;
const repeat = (text: string, room = largest - 200) => text.repeat(Math.floor(room / Buffer.byteLength(text)));
// The most expensive bodies to parse within 64 KiB: depth, names, escapes, numbers, long texts.
const worst: [string, string][] = [
  ['nested arrays', `{"judul":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['nested objects', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`],
  ['thousands of names', `{${Array.from({ length: 6000 }, (_, place) => `"n${place}":1`).join()}}`],
  ['one name over and over', `{${repeat('"judul":"a",')}"isi":"b"}`],
  ['escapes', `{"judul":"${repeat('\\u0041')}","isi":"b"}`],
  ['numbers', `{"judul":"a","isi":"b","x":[${repeat('1e308,')}1]}`],
  ['a long text', `{"judul":"${repeat('👨‍👩‍👧')}","isi":"b"}`],
  ['a long link', `{"judul":"a","isi":"b","url":"/${repeat('../')}"}`],
];

test('the most expensive 64 KiB bodies block a process for at most 20 ms (X20)', async () => {
  const company = await seedCompany(sql(), { employees: 1, keys: 60 });
  let turn = 0;
  const post = async (body: string) => {
    const key = company.keys[turn++ % 50] ?? '';
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const began = performance.now();
    const { status } = await openLine(baseUrl, false).ask(path, { method: 'POST', headers, body });
    expect([200, 400]).toContain(status);
    return performance.now() - began;
  };
  const pingMs = async () => {
    const { status, ms } = await ping(baseUrl, company.keys[50 + (turn++ % 10)] ?? '');
    expect(status).toBe(200);
    return ms;
  };
  const reset = () => sql()`update key_usage set used = 0 where company_id = ${company.id}`;
  // The minimum of several runs: other load on the machine only adds time.
  const quickest: number[] = [];
  for (const [, body] of worst) {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(largest);
    const took: number[] = [];
    for (let count = 0; count < 8; count++) took.push(await post(body));
    quickest.push(Math.min(...took));
  }
  await reset();
  const pings: number[] = [];
  const seconds = rounds(1, 15);
  const flood: Promise<number>[] = [];
  for (let tick = 0; tick < seconds * 20; tick++) {
    // 10 every 50 ms: 200 per second.
    for (let count = 0; count < 10; count++) flood.push(post(worst[(tick + count) % worst.length]?.[1] ?? ''));
    pings.push(await pingMs());
    if (tick % 20 === 19) await reset();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await Promise.all(flood);
  expect(Math.max(...quickest)).toBeLessThan(rounds(200, 20));
  expect(percentile(pings, 0.5)).toBeLessThan(1000);
});
