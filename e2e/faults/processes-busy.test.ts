import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { seedCompany } from '#e2e/faults/seeded-company.ts';
import { percentile, rounds } from '#e2e/support/figures.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';

const ping = '/api/v1/notif.php?aksi=ping';
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
    const { status } = await openLine(baseUrl, false).ask('/api/v1/notif.php', { method: 'POST', headers, body });
    expect([200, 400]).toContain(status);
    return performance.now() - began;
  };
  const pingMs = async () => {
    const began = performance.now();
    const key = company.keys[50 + (turn++ % 10)] ?? '';
    expect((await openLine(baseUrl, false).ask(ping, { headers: { 'X-API-Key': key } })).status).toBe(200);
    return performance.now() - began;
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
