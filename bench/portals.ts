import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Caller, insertCallers, insertSessions } from '#bench/companies.ts';
import type { LoadCommand, LoadReport, PortalGroup } from '#bench/portal-load.ts';
import { cpuMsOfTree } from '#bench/process-tree.ts';
import { digits, type Measured } from '#bench/report.ts';
import { percentile, summarise } from '#e2e/support/figures.ts';
import { settledMemory } from '#e2e/support/running.ts';
import { freePort, type Service } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

const portalMs = 10_000;
const sizes = (quick: boolean) =>
  quick
    ? { held: 2000, streams: 1000, rounds: 20, polling: 2500, pollMs: 2500, pollRounds: 5, pollSeconds: 1 }
    : { held: 10_000, streams: 5000, rounds: 100, polling: 10_000, pollMs: portalMs, pollRounds: 7, pollSeconds: 3 };

type Size = ReturnType<typeof sizes>;

/** The service, where its inspector listens, and the portals of its people. `send` broadcasts and returns the time of its 200. */
type Side = { service: Service; inspector: string; cookies: string[]; send: (text: string) => Promise<number> };

/** P7, P8 and P10: open streams and polling portals of as many accounts, simulated by `bench/portal-load.ts`. */
export async function measurePortals(stage: Stage): Promise<Measured[]> {
  const size = sizes(stage.quick);
  const { url, adminUrl } = await stage.createDatabase();
  const people = { companies: 1, employees: Math.max(size.held, size.polling), keys: 1 + Math.floor(size.rounds / 55) };
  const callers = await insertCallers(adminUrl, people);
  const cookies = await insertSessions(adminUrl, callers[0] as Caller);
  const keys = callers.map(({ key }) => key);
  const inspector = `127.0.0.1:${await freePort()}`;
  const service = await stage.startFront(url, { NODE_OPTIONS: `--inspect=${inspector}` });
  let sent = 0;
  const send = (text: string) => broadcast(service, keys, sent++, text);
  const side = { service, inspector, cookies, send };
  const memory = await measureMemory(side, size.held);
  const arrivals = await measureArrivals(side, size);
  return [asP7(size, arrivals), asP8(size, memory), asP10(size, await measurePolls(side, size))];
}

/** Lets a process simulate portals, and ends it. */
async function withLoad<Result>(use: (load: ChildProcess) => Promise<Result>): Promise<Result> {
  const load = fork(join(import.meta.dirname, 'portal-load.ts'), { execArgv: [] });
  try {
    return await use(load);
  } finally {
    load.disconnect();
    await once(load, 'exit');
  }
}

const nextReport = async (load: ChildProcess) => (await once(load, 'message'))[0] as LoadReport;

function command(load: ChildProcess, order: LoadCommand): Promise<LoadReport> {
  load.send(order);
  return nextReport(load);
}

async function broadcast({ url }: Service, keys: string[], sent: number, judul: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/notif.php`, {
    method: 'POST',
    headers: { 'X-API-Key': keys[sent % keys.length] ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ judul, isi: 'Rapat dimulai pukul 10 di aula lantai 2.', jenis: 'info', url: '/agenda/10' }),
  });
  const at = performance.timeOrigin + performance.now();
  if (response.status !== 200) throw new Error(`a broadcast was answered ${response.status}`);
  await response.arrayBuffer();
  return at;
}

function groupOf({ url }: Service, path: string, cookies: string[]): PortalGroup {
  return { port: Number(new URL(url).port), path, cookies };
}
const streamPath = '/portal/stream?sound=on';
const pollPath = '/portal/feed?after=1000000&sound=on';

type Memory = Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed' | 'external'>;

// Compares half of the streams with all, so that fixed costs do not count.
function measureMemory({ service, cookies, inspector }: Side, people: number): Promise<Memory> {
  const half = people / 2;
  const hold = async (load: ChildProcess, some: string[]) => {
    const { refused } = await command(load, { type: 'hold', group: groupOf(service, streamPath, some) });
    if (refused > 0) throw new Error(`${refused} streams were refused`);
    await wait(1000);
    return settledMemory(inspector);
  };
  return withLoad(async (load) => {
    const before = await hold(load, cookies.slice(0, half));
    const after = await withLoad((second) => hold(second, cookies.slice(half, people)));
    const each = (name: keyof Memory) => (after[name] - before[name]) / half / 1024;
    return { rss: each('rss'), heapUsed: each('heapUsed'), external: each('external') };
  });
}

const measureArrivals = ({ service, cookies, send }: Side, { streams, rounds }: Size) =>
  withLoad(async (load) => {
    const late: number[] = [];
    await command(load, { type: 'hold', group: groupOf(service, streamPath, cookies.slice(0, streams)) });
    for (let round = 0; round < rounds; round++) {
      const text = `Putaran ${round}.`;
      await command(load, { type: 'expect', text });
      const arrived = nextReport(load);
      const sentAt = await send(text);
      late.push((await arrived).at - sentAt);
    }
    return late;
  });

const cpuSeconds = async ({ process: { pid } }: Service) => (await cpuMsOfTree(pid ?? 0)) / 1000;

// CPU during evenly spread polls, in % of a core for 10,000 portals, per round.
function measurePolls({ service, cookies }: Side, size: Size): Promise<number[]> {
  const { polling, pollMs, pollRounds, pollSeconds } = size;
  return withLoad(async (load) => {
    const group = groupOf(service, pollPath, cookies.slice(0, polling));
    await command(load, { type: 'poll', everyMs: pollMs, group });
    // After one interval all portals are connected and cached; a busy machine may need two.
    await wait(2 * pollMs);
    const portals = (polling * portalMs) / pollMs;
    const shares: number[] = [];
    for (let round = 0; round < pollRounds; round++) {
      const [before, started] = [await cpuSeconds(service), performance.now()];
      await wait(pollSeconds * 1000);
      const seconds = (performance.now() - started) / 1000;
      shares.push(((((await cpuSeconds(service)) - before) / seconds) * 100 * 10_000) / portals);
    }
    const { answered, refused } = await command(load, { type: 'count' });
    const expected = (polling * (2 * pollMs + pollRounds * pollSeconds * 1000)) / pollMs;
    if (refused > 0 || answered < expected * 0.9)
      throw new Error(`${answered} of ${Math.round(expected)} polls were answered and ${refused} refused`);
    return shares;
  });
}

function asP7({ streams, rounds }: Size, ours: number[]): Measured {
  const what = `200 of a broadcast to the bytes on the last of ${streams} open streams, p99`;
  const note = `p50 ${digits(percentile(ours, 0.5))} ms`;
  const value = percentile(ours, 0.99);
  return { id: 'P7', what, unit: 'ms', goal: { atMost: 250 }, ...summarise(ours), value, rounds, note };
}

function asP8({ held }: Size, ours: Memory): Measured {
  // New data may fit into memory that was resident before; then the heap says more than the RSS.
  const value = Math.max(ours.rss, ours.heapUsed + ours.external);
  const what = `memory for each of ${held} open streams of as many people`;
  const note = `${digits(ours.heapUsed)} kB heap`;
  return { id: 'P8', what, unit: 'kB', goal: { atMost: 20 }, ...summarise([value]), note };
}

function asP10({ polling, pollMs, pollSeconds }: Size, ours: number[]): Measured {
  const fewer = polling === 10_000 ? '' : `, as ${polling} that ask every ${pollMs / 1000} s`;
  const what = 'CPU of 10,000 polling portals with nothing new';
  const note = `rounds of ${pollSeconds} s${fewer}`;
  return { id: 'P10', what, unit: '% of a core', goal: { atMost: 10 }, ...summarise(ours), note };
}
