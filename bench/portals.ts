import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { cpuMsOf } from '#bench/cpu.ts';
import type { LoadCommand, LoadReport, Portals } from '#bench/portal-load.ts';
import { digits, type Measured } from '#bench/report.ts';
import { insertCompanies } from '#e2e/support/data/seeded.ts';
import { percentile, summarise } from '#e2e/support/figures.ts';
import { signInMany } from '#e2e/support/http/open-streams.ts';
import { settledMemory } from '#e2e/support/running.ts';
import { freePort, type Service } from '#e2e/support/service/service.ts';
import { enterDatabase, type Stage } from '#e2e/support/service/stage.ts';

const portalPollMs = 10_000;
const fullSize = {
  held: 10_000,
  streams: 5000,
  rounds: 100,
  polling: 10_000,
  pollMs: portalPollMs,
  pollRounds: 7,
  pollSeconds: 3,
};
const quickSize: Size = {
  held: 2000,
  streams: 1000,
  rounds: 20,
  polling: 2500,
  pollMs: 2500,
  pollRounds: 5,
  pollSeconds: 1,
};

type Size = typeof fullSize;

/** A service and the address of its inspector, the portals of its people, the process that simulates them, and the keys that send. */
type Scene = {
  service: Service;
  inspector: string;
  size: Size;
  keys: string[];
  portals: (path: string, first: number, end: number) => Portals;
  command: (order: LoadCommand) => Promise<LoadReport>;
};

/** P7, P8 and P10: open streams and polling portals of as many accounts, simulated by `bench/portal-load.ts`. */
export async function measurePortals(stage: Stage): Promise<Measured[]> {
  const size = stage.quick ? quickSize : fullSize;
  const { url, adminUrl } = await stage.createDatabase();
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const [company] = await insertCompanies(admin, { keys: 1 + Math.floor(size.rounds / 55) });
  const { id: companyId = 0, keys = [] } = company ?? {};
  await enterDatabase(url);
  const cookies = await signInMany(admin, { owner: { companyId } }, Math.max(size.held, size.polling));
  await admin`analyze`;
  await admin.end();
  const inspector = `127.0.0.1:${await freePort()}`;
  const service = await stage.startFront(url, { NODE_OPTIONS: `--inspect=${inspector}` });
  const load = fork(join(import.meta.dirname, 'portal-load.ts'), { execArgv: [] });
  const command = (order: LoadCommand) =>
    new Promise<LoadReport>((resolve) => {
      const hear = (report: LoadReport) => {
        if (report.type !== order.type) return;
        load.off('message', hear);
        resolve(report);
      };
      load.on('message', hear).send(order);
    });
  const port = Number(new URL(service.url).port);
  const portals = (path: string, first: number, end: number) => ({ port, path, cookies: cookies.slice(first, end) });
  const scene = { service, inspector, size, keys, portals, command };
  try {
    const memory = await measureMemory(scene);
    const arrivals = await measureArrivals(scene);
    return [asP7(size, arrivals), memory, await measurePolls(scene)];
  } finally {
    load.disconnect();
  }
}

const streamPath = '/portal/stream?sound=on';
const pollPath = '/portal/feed?after=1000000&sound=on';

// Compares half of the streams with all, so that fixed costs do not count.
async function measureMemory({ inspector, size: { held }, portals, command }: Scene): Promise<Measured> {
  const half = held / 2;
  const hold = async (first: number) => {
    const { refused } = await command({ type: 'hold', ...portals(streamPath, first, first + half) });
    if (refused > 0) throw new Error(`${refused} of ${held} streams were refused`);
    await wait(1000);
    return settledMemory(inspector);
  };
  const [before, after] = [await hold(0), await hold(half)];
  await command({ type: 'leave' });
  const each = (name: 'rss' | 'heapUsed' | 'external') => (after[name] - before[name]) / half / 1024;
  const heap = each('heapUsed');
  return {
    id: 'P8',
    what: `memory for each of ${held} open streams of as many people`,
    unit: 'kB',
    atMost: 20,
    // New data may fit into memory that was resident before; then the heap says more than the RSS.
    ...summarise([Math.max(each('rss'), heap + each('external'))]),
    note: `${digits(heap)} kB heap`,
  };
}

/** Measures the ms from the 200 of a broadcast to its bytes on the last stream, per round. */
async function measureArrivals({ service, size, keys, portals, command }: Scene): Promise<number[]> {
  const late: number[] = [];
  await command({ type: 'hold', ...portals(streamPath, 0, size.streams) });
  for (let round = 0; round < size.rounds; round++) {
    const judul = `Putaran ${round}.`;
    await command({ type: 'expect', text: judul });
    const arrived = command({ type: 'await' });
    const response = await fetch(`${service.url}/api/v1/notif.php`, {
      method: 'POST',
      headers: { 'X-API-Key': keys[round % keys.length] ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ judul, isi: 'Rapat dimulai pukul 10 di aula lantai 2.', url: '/agenda/10' }),
    });
    const sentAt = performance.timeOrigin + performance.now();
    if (response.status !== 200) throw new Error(`a broadcast was answered ${response.status}`);
    await response.arrayBuffer();
    late.push((await arrived).at - sentAt);
  }
  await command({ type: 'leave' });
  return late;
}

function asP7({ streams, rounds }: Size, late: number[]): Measured {
  return {
    id: 'P7',
    what: `200 of a broadcast to the bytes on the last of ${streams} open streams, p99`,
    unit: 'ms',
    atMost: 250,
    ...summarise(late),
    value: percentile(late, 0.99),
    rounds,
    note: `p50 ${digits(percentile(late, 0.5))} ms`,
  };
}

/** Measures CPU during evenly spread polls, in % of a core for 10,000 portals, per round. */
async function measurePolls({ service, size, portals, command }: Scene): Promise<Measured> {
  const { polling, pollMs, pollRounds, pollSeconds } = size;
  await command({ type: 'poll', everyMs: pollMs, ...portals(pollPath, 0, polling) });
  // After one interval all portals are connected and cached; a busy machine may need two.
  await wait(2 * pollMs);
  const represented = (polling * portalPollMs) / pollMs;
  const shares: number[] = [];
  for (let round = 0; round < pollRounds; round++) {
    const [before, started] = [await cpuMsOf(service.process.pid), performance.now()];
    await wait(pollSeconds * 1000);
    const share = ((await cpuMsOf(service.process.pid)) - before) / (performance.now() - started);
    shares.push((share * 100 * 10_000) / represented);
  }
  const { answered, refused } = await command({ type: 'leave' });
  const expected = (polling * (2 * pollMs + pollRounds * pollSeconds * 1000)) / pollMs;
  if (refused > 0 || answered < expected * 0.9)
    throw new Error(`${answered} of ${Math.round(expected)} polls were answered and ${refused} refused`);
  const fewer = polling === 10_000 ? '' : `, as ${polling} that ask every ${pollMs / 1000} s`;
  return {
    id: 'P10',
    what: 'CPU of 10,000 polling portals with nothing new',
    unit: '% of a core',
    atMost: 10,
    ...summarise(shares),
    note: `rounds of ${pollSeconds} s${fewer}`,
  };
}
