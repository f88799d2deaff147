import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { type Caller, type CallerCounts, insertCallers } from '#bench/companies.ts';
import { digits, type Measured } from '#bench/report.ts';
import { startCluster } from '#db/embedded/embedded.ts';
import { giveToService } from '#db/service-role.ts';
import { summarise } from '#e2e/support/figures.ts';
import { freePort, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { benchSecret } from '#e2e/support/service/stage.ts';

export type SideName = 'old' | 'new';

export type Pair<Value> = Record<SideName, Value>;

/** Starts the code in `folder` on a new cluster in `dataDir`, with its own schema and default durability. */
export async function startSide(name: SideName, folder: string, dataDir: string) {
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
export type Side = Awaited<ReturnType<typeof startSide>>;

/** Starts the code in `folder` as an operator does who sets nothing: with the embedded database. */
export async function startTrial(folder: string, dataDir: string): Promise<{ service: Service; key: string }> {
  const service = await startFolder(folder, { DATA_DIR: dataDir }, /jss_\w+/);
  return { service, key: /jss_\w+/.exec(service.output())?.[0] ?? '' };
}

async function startFolder(folder: string, settings: Record<string, string>, ready?: RegExp): Promise<Service> {
  const port = String(await freePort());
  const variables = { ...settings, PORT: port, APP_URL: `http://127.0.0.1:${port}`, NODE_ENV: 'production' };
  // With the arguments of its `npm start`.
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [, ...args] = scripts.start.split(' ');
  return startOrExplain(variables, args, ready ?? /is running/, undefined, folder);
}

/** Builds the pages of the code in `folder`, unless they are there. Its packages must be installed. */
export function buildPages(folder: string): void {
  if (existsSync(join(folder, '.next', 'BUILD_ID'))) return;
  process.stderr.write(`Building ${folder}; this happens once.\n`);
  // `npm run` sets variables for its own project.
  const isOther = ([name]: [string, unknown]) => !/^(npm_|INIT_CWD$|NODE_ENV$)/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(isOther)) as NodeJS.ProcessEnv;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, env, stdio: ['ignore', 2, 2] });
}

/** Lets both sides take turns in random order. Drops the figures of the first round, which is a warm-up. */
export async function takeTurns<Figures, Station>(
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

export const inRandomOrder = (): SideName[] => (Math.random() < 0.5 ? ['old', 'new'] : ['new', 'old']);

/** A row whose value is new ÷ old within a round. */
export function asRatio<Figures>(
  row: Pick<Measured, 'id' | 'what' | 'goal'>,
  found: Pair<Figures[]>,
  pick: (figures: Figures) => number,
  note: string,
): Measured {
  const ratios = found.new.map((figures, round) => pick(figures) / pick(found.old[round] as Figures));
  return { ...row, what: `${row.what}, new ÷ old`, unit: '', ...summarise(ratios), note };
}

/** The median of both sides, as text. */
export function describe<Figures>(found: Pair<Figures[]>, pick: (figures: Figures) => number, unit: string): string {
  const median = (name: SideName) => digits(summarise(found[name].map(pick)).value);
  return `old ${median('old')}${unit}, new ${median('new')}${unit}`;
}

export type Station = Side & { callers: Caller[]; next: number };

export async function asStations(sides: Pair<Side>, counts: CallerCounts): Promise<Pair<Station>> {
  const asStation = async (side: Side) => ({ ...side, callers: await insertCallers(side.adminUrl, counts), next: 0 });
  return { old: await asStation(sides.old), new: await asStation(sides.new) };
}

/** Goals for a ratio new ÷ old: none may be worse by more than a tenth. */
export const noSlower = { rate: { atLeast: 0.9 }, time: { atMost: 1.1 } } as const;
