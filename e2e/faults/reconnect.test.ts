import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type PortalClients, startPortalClients } from '#e2e/faults/portal-clients.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { percentile, recordFigures, rounds } from '#e2e/support/figures.ts';
import { signInMany } from '#e2e/support/http/open-streams.ts';
import { countStatuses, keepPinging, type Pinged } from '#e2e/support/http/pings.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';
import type { ApiKey } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const people = rounds(300, 10_000);
// A deployment (SIGTERM) and a crash (SIGKILL).
const signals = rounds(1, 2) === 1 ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGKILL'] as const);
const portalGroups: PortalClients[] = [];
const gather = () => {
  const portals = startPortalClients();
  portalGroups.push(portals);
  return portals;
};
let port: number;
let service: Service;
let company: Company;
let cookies: string[];
let sender: ApiKey;

const start = () => {
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  return startService({ DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', PORT: String(port) });
};

beforeAll(async () => {
  port = await freePort();
  service = await start();
  company = await makeCompany();
  sender = await principalOf(await company.newKey());
  cookies = await signInMany(sql(), company, people);
}, 600_000);
afterEach(() => {
  for (const { process: child } of portalGroups.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await service?.stop();
});

let sent = 0;

/** Sends a broadcast through a second service on the same database. */
async function send(): Promise<void> {
  const draft = {
    recipients: { to: 'everyone' },
    title: `Nomor ${++sent}`,
    body: 'Isi',
    kind: 'info',
    url: null,
  } as const;
  expect(await sendNotification(sender, draft, randomUUID())).toMatchObject({ replayed: false });
}

async function memoryKb(): Promise<number> {
  const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}

async function untilLive(portals: PortalClients, number: number): Promise<void> {
  const left = async () => {
    const { live, least } = await portals.report();
    return [live, least];
  };
  await expect.poll(left, { timeout: 120_000, interval: 100 }).toEqual([people, number]);
}

async function makeKeys(): Promise<string[]> {
  const { newKey } = await makeCompany();
  return Promise.all(Array.from({ length: 45 }, () => newKey()));
}

type Storm = { how: string; liveAfterMs: number; pings: Pinged[]; grownKb: number };

/** Stops the service, sends, starts it again, and sends while the portals reconnect. */
async function storm(portals: PortalClients, signal: 'SIGTERM' | 'SIGKILL'): Promise<Storm> {
  const keys = await makeKeys();
  await service.stop(signal);
  await send();
  service = await start();
  const startedAt = Date.now();
  const emptyKb = await memoryKb();
  let over = false;
  const pinging = keepPinging(service.url, keys, 20, () => over);
  try {
    for (let during = 0; during < 3; during++) {
      await send();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await untilLive(portals, sent);
  } finally {
    over = true;
  }
  const { lastLiveAt } = await portals.report();
  const pings = await pinging;
  return { how: signal, liveAfterMs: lastLiveAt - startedAt, pings, grownKb: (await memoryKb()) - emptyKb };
}

test('after a restart or kill -9 all portals resume without gap or duplicate (X16)', async () => {
  const portals = gather();
  await portals.open(port, cookies);
  await send();
  await untilLive(portals, sent);
  for (const signal of signals) {
    const { liveAfterMs, pings, grownKb } = await storm(portals, signal);
    const { missed, doubled } = await portals.report();
    expect([signal, missed, doubled]).toEqual([signal, 0, 0]);
    const p99Ms = percentile(
      pings.map(({ ms }) => ms),
      0.99,
    );
    await recordFigures(`X16 ${signal}`, {
      portals: people,
      missed,
      doubled,
      allLiveAfterMs: liveAfterMs,
      pings: pings.length,
      pingP99Ms: Math.round(p99Ms),
      kbPerPortal: Math.round(grownKb / people),
    });
    expect(countStatuses(pings)).toEqual({ 200: pings.length });
    expect(liveAfterMs).toBeLessThan(20_000);
    expect(p99Ms).toBeLessThan(rounds(5000, 1000));
    if (people >= 10_000) expect(grownKb / people).toBeLessThan(100);
  }
}, 600_000);
