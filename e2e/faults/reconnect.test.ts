import { randomUUID } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { p99, rounds } from '#e2e/support/figures.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { keepReading, type PortalClient, signInMany } from '#e2e/support/http/open-streams.ts';
import { countStatuses, keepPinging } from '#e2e/support/http/pings.ts';
import { megabytesOf } from '#e2e/support/running.ts';
import { besideTested, freePort, startService } from '#e2e/support/service/service.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const people = rounds(300, 10_000);
const openedAtOnce = 100;
// A deployment (SIGTERM) and a crash (SIGKILL).
const signals = rounds(1, 2) === 1 ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGKILL'] as const);
const portals: PortalClient[] = [];
let isOver = false;
const PORT = String(await freePort());
const start = () => startService({ ...besideTested, PORT });
let service = await start();
afterAll(() => (isOver = true));

async function openPortals(cookies: string[]): Promise<void> {
  for (let from = 0; from < cookies.length; from += openedAtOnce) {
    for (const cookie of cookies.slice(from, from + openedAtOnce)) {
      const headers = { cookie };
      const open = (after: number) => openLine(service.url, false).open(`/portal/stream?after=${after}`, { headers });
      portals.push(keepReading(open, () => isOver));
    }
    await expect.poll(() => portals.every(({ openings }) => openings > 0), { timeout: 60_000 }).toBe(true);
  }
}

test('after a restart or kill -9 all portals resume without gap or duplicate (X16)', async ({ company }) => {
  const sender = await principalOf(await company.newKey());
  await openPortals(await signInMany(sql(), company, people));
  const sent: number[] = [];
  // Broadcasts come from a second service on the same database.
  const send = async () => {
    sent.push(sent.length + 1);
    const outcome = await sendNotification(sender, { ...keyDraft, title: `Nomor ${sent.length}` }, randomUUID());
    expect(outcome).toMatchObject({ replayed: false });
  };
  const countLive = () => portals.filter(({ isLive, newest }) => isLive && newest === sent.length).length;
  await send();
  await expect.poll(countLive, { timeout: 120_000 }).toBe(people);
  for (const signal of signals) {
    const keys = await (await makeCompany()).newKeys(45);
    await service.stop(signal);
    await send();
    service = await start();
    const startedAt = performance.now();
    const emptyMegabytes = megabytesOf(service.process.pid);
    let areLive = false;
    const pinging = keepPinging(service.url, keys, 20, () => areLive);
    try {
      for (let during = 0; during < 3; during++) await send();
      await expect.poll(countLive, { timeout: 120_000, interval: 100 }).toBe(people);
    } finally {
      areLive = true;
    }
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(portals.filter(({ numbers }) => numbers.join() !== sent.join())).toEqual([]);
    const pings = await pinging;
    expect(countStatuses(pings)).toEqual({ 200: pings.length });
    expect(p99(pings)).toBeLessThan(rounds(5000, 1000));
    const grown = megabytesOf(service.process.pid) - emptyMegabytes;
    if (people >= 10_000) expect((grown * 1024) / people, 'KB for each portal').toBeLessThan(100);
  }
}, 600_000);
