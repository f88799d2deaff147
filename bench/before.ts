import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { type Caller, type CallerCounts, insertCallers } from '#bench/companies.ts';
import { runLoad } from '#bench/load.ts';
import { cpuMsOfTree, memoryKbOfTree } from '#bench/process-tree.ts';
import { digits, type Measured } from '#bench/report.ts';
import { startCluster } from '#db/embedded/embedded.ts';
import { giveToService } from '#db/service-role.ts';
import { summarise } from '#e2e/support/figures.ts';
import { freePort, root, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { benchSecret, type Stage } from '#e2e/support/service/stage.ts';

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

type SideName = 'old' | 'new';

type Pair<Value> = Record<SideName, Value>;

/** Starts the code in `folder` on a new cluster in `dataDir`, with its own schema and default durability. */
async function startSide(name: SideName, folder: string, dataDir: string) {
  const cluster = await startCluster(join(dataDir, name));
  const adminUrl = cluster.adminUrl.replace(/\/postgres$/, '/bench');
  const admin = postgres(cluster.adminUrl, { max: 1, onnotice: () => {} });
  await admin`create database bench`;
  await admin.end();
  const settings = { DATABASE_URL: await giveToService(adminUrl), AUTH_SECRET: benchSecret, HOST: '127.0.0.1' };
  const service = await startFolder(folder, settings).catch(async (error) => {
    await cluster.stop();
    throw error;
  });
  const stop = async () => {
    await service.stop();
    await cluster.stop();
  };
  return { name, service, adminUrl, databasePid: cluster.pid, stop };
}

/** A service with default settings on its own PostgreSQL, with the id of PostgreSQL's main process. */
type Side = Awaited<ReturnType<typeof startSide>>;

/** Starts the code in `folder` as an operator does who sets nothing: with the embedded database. */
async function startTrial(folder: string, dataDir: string): Promise<{ service: Service; key: string }> {
  const service = await startFolder(folder, { DATA_DIR: dataDir }, /jss_\w+/);
  return { service, key: /jss_\w+/.exec(service.output())?.[0] ?? '' };
}

async function startFolder(folder: string, settings: Record<string, string>, ready?: RegExp): Promise<Service> {
  const port = String(await freePort());
  const variables = { ...settings, PORT: port, APP_URL: `http://127.0.0.1:${port}`, NODE_ENV: 'production' };
  // With the arguments of its `npm start`.
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const [, ...args] = (JSON.parse(text) as { scripts: { start: string } }).scripts.start.split(' ');
  return startOrExplain(variables, args, ready ?? /is running/, undefined, folder);
}

/** Builds the pages of the code in `folder`, unless they are there. Its packages must be installed. */
function buildPages(folder: string): void {
  if (existsSync(join(folder, '.next', 'BUILD_ID'))) return;
  process.stderr.write(`Building ${folder}; this happens once.\n`);
  // `npm run` sets variables for its own project.
  const isOther = ([name]: [string, unknown]) => !/^(npm_|INIT_CWD$|NODE_ENV$)/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(isOther)) as NodeJS.ProcessEnv;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, env, stdio: ['ignore', 2, 2] });
}

/** Lets both sides take turns in random order. Drops the figures of the first round, which is a warm-up. */
async function takeTurns<Figures, Station>(
  rounds: number,
  stations: Pair<Station>,
  measure: (station: Station, round: number) => Promise<Figures>,
): Promise<Pair<Figures[]>> {
  const found: Pair<Figures[]> = { old: [], new: [] };
  for (let round = -1; round < rounds; round++) {
    for (const name of inRandomOrder()) {
      const figures = await measure(stations[name], round);
      if (round >= 0) found[name].push(figures);
    }
  }
  return found;
}

const inRandomOrder = (): SideName[] => (Math.random() < 0.5 ? ['old', 'new'] : ['new', 'old']);

type Row = Pick<Measured, 'id' | 'what' | 'goal'>;

/** A row whose value is new ÷ old within a round. */
function asRatio<One>(row: Row, found: Pair<One[]>, pick: (figures: One) => number, note: string): Measured {
  const ratios = found.new.map((figures, round) => pick(figures) / pick(found.old[round] as One));
  return { ...row, what: `${row.what}, new ÷ old`, unit: '', ...summarise(ratios), note };
}

/** The median of both sides, as text. */
function describe<Figures>(found: Pair<Figures[]>, pick: (figures: Figures) => number, unit: string): string {
  const median = (name: SideName) => digits(summarise(found[name].map(pick)).value);
  return `old ${median('old')}${unit}, new ${median('new')}${unit}`;
}

type Station = Side & { callers: Caller[]; next: number };

async function asStations(sides: Pair<Side>, counts: CallerCounts): Promise<Pair<Station>> {
  const asStation = async (side: Side) => ({ ...side, callers: await insertCallers(side.adminUrl, counts), next: 0 });
  return { old: await asStation(sides.old), new: await asStation(sides.new) };
}

/** Goals for a ratio new ÷ old: none may be worse by more than a tenth. */
const noSlower = { rate: { atLeast: 0.9 }, time: { atMost: 1.1 } } as const;
