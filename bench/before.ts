import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runLoad } from '#bench/load.ts';
import { cpuMsOfTree, memoryKbOfTree } from '#bench/process-tree.ts';
import type { Measured } from '#bench/report.ts';
import {
  asRatio,
  asStations,
  buildPages,
  describe,
  inRandomOrder,
  noSlower,
  type Pair,
  type Side,
  type SideName,
  type Station,
  startSide,
  startTrial,
  takeTurns,
} from '#bench/sides.ts';
import { root } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

/** What to measure: ids of rows (default: all), rounds, and the folder of another version of this project. */
export type Choice = { rows?: string[]; rounds?: number; before?: string };

/** P13–P16 and P26: this code compared with that in `before`. They take turns; a ratio is new ÷ old of a round. */
export async function measureBefore({ quick }: Stage, { rows, rounds, before }: Choice = {}): Promise<Measured[]> {
  const isWanted = (row: string) => !rows?.length || rows.includes(row);
  if (!before) throw new Error('Name what to compare with: npm run bench -- before --before ../other-folder');
  const folders = { old: resolve(before), new: root };
  buildPages(folders.old);
  const folder = await mkdtemp(join(tmpdir(), 'notif-before-'));
  const measured: Measured[] = [];
  try {
    if (['P13', 'P14', 'P15', 'P16'].some(isWanted))
      measured.push(...(await withSides(folders, folder, (sides) => measureSends(sides, quick, rounds, isWanted))));
    if (isWanted('P26')) measured.push(await measureMemory(folders, folder, rounds ?? (quick ? 1 : 5)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return measured.filter(({ id }) => isWanted(id)).sort((a, b) => a.id.localeCompare(b.id));
}

async function withSides<Result>(folders: Pair<string>, folder: string, use: (sides: Pair<Side>) => Promise<Result>) {
  const started: Side[] = [];
  const start = async (name: SideName) => {
    const side = await startSide(name, folders[name], folder);
    started.push(side);
    return side;
  };
  try {
    return await use({ old: await start('old'), new: await start('new') });
  } finally {
    for (const side of started) await side.stop();
  }
}

// ---- P13 to P16: sends with many keys of many companies, to one recipient each ----

type Sends = { perSecond: number; p50: number; p99: number; serviceMs: number; databaseMs: number; cores: number };

async function measureSends(
  sides: Pair<Side>,
  quick: boolean,
  rounds = quick ? 3 : 7,
  isWanted: (row: string) => boolean,
): Promise<Measured[]> {
  const stations = await asStations(sides, { companies: 300, employees: 1, keys: 50 });
  const measure = (connections: number) =>
    takeTurns(rounds, stations, (station) => measureLoad(station, connections, quick ? 1 : 2));
  const cpuMs = ({ serviceMs, databaseMs }: Sends) => serviceMs + databaseMs;
  const asRate = (id: string, what: string, found: Pair<Sends[]>) => {
    const most = Math.max(...[...found.old, ...found.new].map(({ cores }) => cores)).toFixed(2);
    const p99 = describe(found, (figures) => figures.p99, ' ms');
    const note = `${describe(found, ({ perSecond }) => perSecond, '/s')}; p99 ${p99}; driver at most ${most} of a core`;
    return asRatio({ id, what, goal: noSlower.rate }, found, ({ perSecond }) => perSecond, note);
  };
  const measured: Measured[] = [];
  if (isWanted('P13') || isWanted('P16')) {
    const found = await measure(32);
    measured.push(asRate('P13', 'sends/s at 32 connections', found));
    const row = { id: 'P16', what: 'CPU of service and database per 1,000 sends at 32 connections' };
    const parts = `service ${describe(found, ({ serviceMs }) => serviceMs, ' ms')}; database ${describe(found, ({ databaseMs }) => databaseMs, ' ms')}`;
    measured.push(asRatio({ ...row, goal: noSlower.time }, found, cpuMs, `${describe(found, cpuMs, ' ms')}; ${parts}`));
  }
  if (isWanted('P14')) measured.push(asRate('P14', 'sends/s at 8 connections', await measure(8)));
  if (isWanted('P15')) {
    const found = await measure(1);
    measured.push(asRate('P15', 'sends/s at 1 connection', found));
    const p50 = (figures: Sends) => figures.p50;
    const row = { id: 'P15', what: 'p50 of a send at 1 connection', goal: noSlower.time };
    measured.push(asRatio(row, found, p50, describe(found, p50, ' ms')));
  }
  return measured;
}

const cpuMsOf = async ({ service, databasePid }: Station) =>
  [await cpuMsOfTree(service.process.pid ?? 0), await cpuMsOfTree(databasePid)] as const;

async function measureLoad(station: Station, connections: number, seconds: number): Promise<Sends> {
  const { callers, next: from, service } = station;
  const [serviceBefore, databaseBefore] = await cpuMsOf(station);
  const report = await runLoad(service.url, { operation: 'send', callers, connections, seconds, from });
  const [serviceAfter, databaseAfter] = await cpuMsOf(station);
  station.next = report.next;
  const { count, p50, p99, cores } = report;
  const serviceMs = (1000 * (serviceAfter - serviceBefore)) / count;
  const databaseMs = (1000 * (databaseAfter - databaseBefore)) / count;
  return { perSecond: count / report.seconds, p50, p99, serviceMs, databaseMs, cores };
}

// ---- P26: memory of an idle service that was started without settings ----

async function measureMemory(folders: Pair<string>, folder: string, rounds: number): Promise<Measured> {
  const found: Pair<number[]> = { old: [], new: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of inRandomOrder()) {
      const dataDir = join(folder, `trial-${name}-${round}`);
      found[name].push(await measureTrial(folders[name], dataDir));
      await rm(dataDir, { recursive: true, force: true });
    }
  const what = 'memory of an idle service with its embedded database, whole tree (PSS)';
  const megabytes = (value: number) => value / 1024;
  return asRatio({ id: 'P26', what, goal: noSlower.time }, found, megabytes, describe(found, megabytes, ' MB'));
}

const settleMs = 10_000;

// In kB, after a few pings, sends and one page.
async function measureTrial(folder: string, dataDir: string): Promise<number> {
  const { service, key } = await startTrial(folder, dataDir);
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(service.url + path, init);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  };
  try {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ judul: 'Rapat', isi: 'Semua hadir di aula.' });
    for (let call = 0; call < 10; call++) {
      await ask('/api/v1/notif.php', { method: 'POST', headers, body });
      await ask('/api/v1/notif.php?aksi=ping', { headers });
    }
    await ask('/login');
    await wait(settleMs);
    return await memoryKbOfTree(service.process.pid ?? 0);
  } finally {
    await service.stop();
  }
}
