import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { insertSessions } from '#bench/companies.ts';
import { coresOf, type Driver, type Operation, type Report, requireAll200, startDriver } from '#bench/driver/driver.ts';
import { cpuMsOfTree, memoryKbOfTree } from '#bench/process-tree.ts';
import type { Measured } from '#bench/report.ts';
import {
  asRatio,
  asStations,
  buildPages,
  count,
  describe,
  describeDriver,
  digits,
  inRandomOrder,
  noSlower,
  type Pair,
  type Setting,
  type Side,
  type SideName,
  type Size,
  type Station,
  startSide,
  startTrial,
  takeTurns,
  toEveryone,
} from '#bench/sides.ts';
import type { Caller } from '#e2e/support/data/callers.ts';
import { percentile, summarise } from '#e2e/support/figures.ts';
import { root } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

/**
 * What to measure. `rows` are ids (default: all), `rounds` replaces their number, `before` is the folder
 * of another version of this project, with its packages installed.
 */
export type Choice = { rows?: string[]; rounds?: number; before?: string };

const sizeOf = (quick: boolean, rounds?: number): Size => ({
  rounds: rounds ?? (quick ? 3 : 7),
  seconds: quick ? 1 : 2,
  broadcasts: quick ? 10 : 20,
  memoryRounds: rounds ?? (quick ? 1 : 5),
});

const streams = 5000;
const employees = 10_000;
const burst = 1000;
const opened = 600;

/** Which rows need a pair of running sides, and what measures them. */
const measurements: { rows: string[]; measure: (setting: Setting) => Promise<Measured[]> }[] = [
  { rows: ['P13', 'P14', 'P15', 'P16', 'P22'], measure: measureCalls },
  { rows: ['P20'], measure: measureBurst },
  { rows: ['P23'], measure: measureStreams },
  { rows: ['P24'], measure: measureOpening },
  { rows: ['P25'], measure: measureRestart },
];

/**
 * P13–P16, P20 and P22–P26: this code compared with that in the folder `before`. Both run at the same
 * time with default settings, each on its own PostgreSQL with the same settings. They take turns in
 * random order; a ratio is new ÷ old within a round.
 */
export async function measureBefore({ quick }: Stage, { rows, rounds, before }: Choice = {}): Promise<Measured[]> {
  const isWanted = (row: string) => !rows?.length || rows.includes(row);
  const size = sizeOf(quick, rounds);
  if (!before) throw new Error('Name what to compare with: npm run bench -- before --before ../other-folder');
  const folders = { old: resolve(before), new: root };
  buildPages(folders.old);
  const folder = await mkdtemp(join(tmpdir(), 'notif-before-'));
  const driver = await startDriver();
  const measured: Measured[] = [];
  try {
    const wanted = measurements.filter((one) => one.rows.some(isWanted));
    if (wanted.length > 0)
      await withSides(folders, folder, async (sides) => {
        for (const { measure } of wanted) measured.push(...(await measure({ driver, sides, size, isWanted })));
      });
    if (isWanted('P26')) measured.push(await measureMemory(folders, folder, driver, size.memoryRounds));
  } finally {
    await driver.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return measured.filter(({ id }) => isWanted(id)).sort((a, b) => a.id.localeCompare(b.id));
}

async function withSides(folders: Pair<string>, folder: string, use: (sides: Pair<Side>) => Promise<void>) {
  const started: Side[] = [];
  const start = async (name: SideName) => {
    const side = await startSide(name, folders[name], folder);
    started.push(side);
    return side;
  };
  try {
    await use({ old: await start('old'), new: await start('new') });
  } finally {
    for (const side of started) await side.stop();
  }
}

// ---- P13 to P16: sends with many keys of many companies, to one recipient each ----

type Sends = { perSecond: number; p50: number; p99: number; serviceMs: number; databaseMs: number; cores: number };

async function measureCalls(setting: Setting): Promise<Measured[]> {
  const { driver, size, isWanted } = setting;
  const stations = await asStations(setting, { companies: 300, employees: 1, keys: 50 });
  const measure = (connections: number, operation: Operation = 'send') =>
    takeTurns(size.rounds, stations, (station) => measureLoad(driver, station, connections, size.seconds, operation));
  const perSecond = ({ perSecond: value }: Sends) => value;
  const p50 = (figures: Sends) => figures.p50;
  const p99 = (figures: Sends) => figures.p99;
  const cpuMs = ({ serviceMs, databaseMs }: Sends) => serviceMs + databaseMs;
  const asRate = (id: string, what: string, goal: Measured['goal'], found: Pair<Sends[]>) => {
    const note = `${describe(found, perSecond, '/s')}; p99 ${describe(found, p99, ' ms')}; driver ${describeDriver(found)}`;
    return asRatio({ id, what, goal }, found, perSecond, note);
  };
  const rows: Measured[] = [];
  if (isWanted('P13') || isWanted('P16')) {
    const found = await measure(32);
    rows.push(asRate('P13', 'sends/s at 32 connections', noSlower.rate, found));
    const row = { id: 'P16', what: 'CPU of service and database per 1,000 sends at 32 connections' };
    const parts = `service ${describe(found, ({ serviceMs }) => serviceMs, ' ms')}; database ${describe(found, ({ databaseMs }) => databaseMs, ' ms')}`;
    const note = `${describe(found, cpuMs, ' ms')}; ${parts}`;
    rows.push(asRatio({ ...row, goal: noSlower.time }, found, cpuMs, note));
  }
  if (isWanted('P14')) rows.push(asRate('P14', 'sends/s at 8 connections', noSlower.rate, await measure(8)));
  if (isWanted('P15')) {
    const found = await measure(1);
    rows.push(asRate('P15', 'sends/s at 1 connection', noSlower.rate, found));
    const row = { id: 'P15', what: 'p50 of a send at 1 connection', goal: noSlower.time };
    rows.push(asRatio(row, found, p50, describe(found, p50, ' ms')));
  }
  if (isWanted('P22')) {
    const found = await measure(1, 'plain send');
    const row = { id: 'P22', what: 'p50 of a send without Idempotency-Key at 1 connection', goal: { atMost: 0.7 } };
    const parts = `service ${describe(found, ({ serviceMs }) => serviceMs, ' ms')}; database ${describe(found, ({ databaseMs }) => databaseMs, ' ms')}`;
    rows.push(asRatio(row, found, p50, `${describe(found, p50, ' ms')}; CPU per 1,000: ${parts}`));
  }
  return rows;
}

const cpuMsOf = async ({ service, databasePid }: Station) =>
  [await cpuMsOfTree(service.process.pid ?? 0), await cpuMsOfTree(databasePid)] as const;

async function measureLoad(
  driver: Driver,
  station: Station,
  connections: number,
  seconds: number,
  operation: Operation,
): Promise<Sends> {
  const { callers, next: from, service } = station;
  const [serviceBefore, databaseBefore] = await cpuMsOf(station);
  const report = await driver.run(service.url, { do: 'load', operation, callers, connections, seconds, from });
  const [serviceAfter, databaseAfter] = await cpuMsOf(station);
  requireAll200(report);
  station.next = report.next;
  const { count, p50, p99 } = report;
  return {
    perSecond: count / report.seconds,
    p50,
    p99,
    serviceMs: (1000 * (serviceAfter - serviceBefore)) / count,
    databaseMs: (1000 * (databaseAfter - databaseBefore)) / count,
    cores: coresOf(report),
  };
}

// ---- P20: 1,000 sends at once, each to everyone in the same company ----

type Burst = { p99: number; others: Record<string, number> };

async function measureBurst(setting: Setting): Promise<Measured[]> {
  const { driver, size } = setting;
  // The limit is 60 sends for each key and minute.
  const stations = await asStations(setting, { companies: 1, employees, keys: 200 });
  const lists = { old: toEveryone(stations.old), new: toEveryone(stations.new) };
  const found = await takeTurns(size.rounds, stations, async (station): Promise<Burst> => {
    const { next: from, service } = station;
    const callers = lists[station.name];
    const { p99, others, next } = await driver.run(service.url, { do: 'burst', callers, count: burst, from });
    station.next = next;
    return { p99, others: others ?? {} };
  });
  const p99 = (figures: Burst) => figures.p99;
  const not200 = ({ others }: Burst) => Object.values(others).reduce((sum, some) => sum + some, 0);
  const sends = `${count(burst)} sends at once to a company of ${count(employees)}`;
  const others = summarise(found.new.map(not200));
  const kinds = (name: SideName) => [...new Set(found[name].flatMap((one) => Object.keys(one.others)))].join(', ');
  const note = `most of a round; old ${Math.max(...found.old.map(not200))} ${kinds('old')}; new ${kinds('new')}`;
  return [
    asRatio({ id: 'P20', what: `p99 of ${sends}`, goal: noSlower.time }, found, p99, describe(found, p99, ' ms')),
    {
      id: 'P20',
      what: `${sends}, not answered 200`,
      unit: '',
      goal: { atMost: 0 },
      ...others,
      value: others.max,
      note,
    },
  ];
}

// ---- P23: a broadcast to 5,000 open streams of as many employees of one company ----

type Broadcasts = { lastMs: number[]; answeredMs: number[]; cores: number };

async function measureStreams(setting: Setting): Promise<Measured[]> {
  const { driver, size } = setting;
  const stations = await asStations(setting, { companies: 1, employees: streams, keys: 50 });
  const lists = { old: toEveryone(stations.old), new: toEveryone(stations.new) };
  const cookies = await cookiesOf(stations);
  const found = await takeTurns(size.rounds, stations, async (station, round): Promise<Broadcasts> => {
    await openStreams(driver, station, cookies[station.name], station.next);
    const figures: Broadcasts = { lastMs: [], answeredMs: [], cores: 0 };
    const started = performance.now();
    for (let at = 0; at < size.broadcasts; at++) {
      const { name: group, next: from, service } = station;
      const callers = lists[group];
      const text = `Rapat ${group} ${round + 1}.${at} dimulai pukul 10 di aula lantai 2.`;
      const report = await driver.run(service.url, { do: 'broadcast', group, callers, from, text });
      station.next = report.next;
      figures.lastMs.push(report.lastMs);
      figures.answeredMs.push(report.answeredMs);
      figures.cores += report.cpuMs;
    }
    // Broadcasts follow each other without a pause, so this share is larger than in use.
    figures.cores /= performance.now() - started;
    await closeStreams(driver, station);
    return figures;
  });
  const what = `broadcast to the last byte on the last of ${count(streams)} open streams`;
  // Streams live 15 minutes and more, so none ends during a round: one that just opened is as good as an old one.
  const last = (share: number) => (figures: Broadcasts) => percentile(figures.lastMs, share);
  const answered = (figures: Broadcasts) => percentile(figures.answeredMs, 0.5);
  const allOf = (name: SideName) =>
    percentile(
      found[name].flatMap(({ lastMs }) => lastMs),
      0.99,
    );
  const total = `p99 of all ${count(size.rounds * size.broadcasts)}: old ${digits(allOf('old'))} ms, new ${digits(allOf('new'))} ms`;
  return [
    asRatio(
      { id: 'P23', what: `${what}, p50`, goal: noSlower.time },
      found,
      last(0.5),
      `${describe(found, last(0.5), ' ms')}; answered after ${describe(found, answered, ' ms')}; driver ${describeDriver(found)}`,
    ),
    asRatio({ id: 'P23', what: `${what}, p99`, goal: noSlower.time }, found, last(0.99), total),
  ];
}

async function cookiesOf(stations: Pair<Station>): Promise<Pair<string[]>> {
  const ofSide = ({ adminUrl, callers }: Station) => insertSessions(adminUrl, callers[0] as Caller);
  return { old: await ofSide(stations.old), new: await ofSide(stations.new) };
}

// `after`: so many notifications the portals have already.
async function openStreams(
  driver: Driver,
  { name: group, service }: Station,
  cookies: string[],
  after = 0,
): Promise<Report> {
  const report = await driver.run(service.url, { do: 'hold', group, cookies, after });
  requireAll200(report);
  return report;
}

const closeStreams = (driver: Driver, { name: group, service }: Station) =>
  driver.run(service.url, { do: 'leave', group });

// ---- P24: CPU for opening streams, with what the service writes about them in the next moments ----

// A service writes who was there a second later.
const laterMs = 2000;

async function measureOpening(setting: Setting): Promise<Measured[]> {
  const { driver, size } = setting;
  const stations = await asStations(setting, { companies: 1, employees: streams, keys: 1 });
  const cookies = await cookiesOf(stations);
  const found = await takeTurns(size.rounds, stations, async (station, round) => {
    const from = ((round + 1) % Math.floor(streams / opened)) * opened;
    const people = cookies[station.name].slice(from, from + opened);
    const open = async () => {
      const before = await cpuMsOf(station);
      await openStreams(driver, station, people);
      await wait(laterMs);
      const after = await cpuMsOf(station);
      await closeStreams(driver, station);
      await wait(laterMs);
      return (after[0] - before[0] + after[1] - before[1]) / opened;
    };
    return { first: await open(), again: await open() };
  });
  const what = `CPU of service and database for each of ${opened} streams that open`;
  const first = (figures: { first: number }) => figures.first;
  const again = (figures: { again: number }) => figures.again;
  return [
    asRatio(
      { id: 'P24', what: `${what}, new people`, goal: { atMost: 0.3 } },
      found,
      first,
      describe(found, first, ' ms'),
    ),
    asRatio(
      { id: 'P24', what: `${what}, people who were here`, goal: noSlower.time },
      found,
      again,
      describe(found, again, ' ms'),
    ),
  ];
}

// ---- P25: 5,000 portals open their streams after a restart of the service, while a program pings ----

async function measureRestart(setting: Setting): Promise<Measured[]> {
  const { driver, size } = setting;
  const stations = await asStations(setting, { companies: 1, employees: streams, keys: 50 });
  const cookies = await cookiesOf(stations);
  const found = await takeTurns(size.rounds, stations, async (station) => {
    station.service = await station.restart();
    const isOpen = new AbortController();
    const pings = pingUntil(station, isOpen.signal);
    const started = performance.now();
    await openStreams(driver, station, cookies[station.name]);
    const seconds = (performance.now() - started) / 1000;
    isOpen.abort();
    const p99 = percentile(await pings, 0.99);
    await closeStreams(driver, station);
    return { seconds, p99 };
  });
  const what = `${count(streams)} streams open again after a restart`;
  const seconds = (figures: { seconds: number }) => figures.seconds;
  const p99 = (figures: { p99: number }) => figures.p99;
  return [
    asRatio({ id: 'P25', what, goal: noSlower.time }, found, seconds, `${describe(found, seconds, ' s')}; goal 2.5 s`),
    asRatio(
      { id: 'P25', what: `${what}: pings meanwhile, p99`, goal: noSlower.time },
      found,
      p99,
      `${describe(found, p99, ' ms')}; goal 50 ms`,
    ),
  ];
}

// Returns the time of each ping in ms. The limit is 60 for each key and minute.
async function pingUntil(station: Station, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const { key } = station.callers[station.next++ % station.callers.length] as Caller;
    const started = performance.now();
    const answer = await fetch(`${station.service.url}/api/v1/notif.php?aksi=ping`, { headers: { 'X-API-Key': key } });
    if (answer.status !== 200) throw new Error(`a ping was answered ${answer.status}`);
    await answer.arrayBuffer();
    times.push(performance.now() - started);
    await wait(20);
  }
  return times;
}

// ---- P26: memory of an idle service that was started without settings ----

async function measureMemory(folders: Pair<string>, folder: string, driver: Driver, rounds: number): Promise<Measured> {
  const found: Pair<number[]> = { old: [], new: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of inRandomOrder()) {
      const dataDir = join(folder, `trial-${name}-${round}`);
      found[name].push(await measureTrial(folders[name], dataDir, driver));
      await rm(dataDir, { recursive: true, force: true });
    }
  const what = 'memory of an idle service with its embedded database, whole tree (PSS)';
  const megabytes = (value: number) => value / 1024;
  return asRatio({ id: 'P26', what, goal: { atMost: 0.75 } }, found, megabytes, describe(found, megabytes, ' MB'));
}

const settleMs = 10_000;

// In kB, after a few pings, sends and one page.
async function measureTrial(folder: string, dataDir: string, driver: Driver): Promise<number> {
  const { service, key } = await startTrial(folder, dataDir);
  try {
    const callers = [{ key, userId: 0 }];
    requireAll200(await driver.run(service.url, { do: 'burst', callers, count: 10, from: 0 }));
    const headers = { 'X-API-Key': key };
    for (let ping = 0; ping < 10; ping++) await fetch(`${service.url}/api/v1/notif.php?aksi=ping`, { headers });
    const page = await fetch(`${service.url}/login`);
    await page.text();
    if (page.status !== 200) throw new Error(`the page was answered ${page.status}`);
    await wait(settleMs);
    return await memoryKbOfTree(service.process.pid ?? 0);
  } finally {
    await service.stop();
  }
}
