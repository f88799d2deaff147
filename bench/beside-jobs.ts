import postgres from 'postgres';
import type { Measured } from '#bench/report.ts';
import { disconnect } from '#db/client.ts';
import { enterDatabase } from '#e2e/support/data/callers.ts';
import { addKeys, shareDataset } from '#e2e/support/data/dataset/dataset.ts';
import { percentile, summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';
import { deleteExpiredRows, thenPause } from '#server/jobs/expired-rows.ts';
import { countCompany } from '#server/sends/statistics/statistics.ts';

const pingEveryMs = 25;
const sendEveryMs = 100;

type Times = { pings: number[]; sends: number[] };

/**
 * Measures the latency of pings and sends of the largest company during the deletion of its oldest
 * notifications and receipts. Compares it with the latency of the same load without a deletion.
 */
export const measureRetention = (stage: Stage): Promise<Measured[]> =>
  measureBeside(stage, 'retention', 'the deletion', async (admin) => {
    const rowsBefore = await countRows(admin);
    await admin`update companies set keep_notifications_days = ${stage.quick ? 365 : 680} where id = 1`;
    return {
      run: deleteExpiredRows,
      describe: async () => `${(rowsBefore - (await countRows(admin))).toLocaleString('en')} rows deleted`,
    };
  });

/**
 * The same while the sends of the largest company are counted for the first time. The hourly job does
 * so for 30 s at a time.
 */
export const measureStatistics = (stage: Stage): Promise<Measured[]> =>
  measureBeside(stage, 'statistics', 'the counting', async (admin) => ({
    run: () => countCompany({ companyId: 1, timeZone: 'Asia/Jakarta' }, thenPause),
    describe: async () => {
      const [row] = await admin`select count(distinct day)::int as days from send_statistics where company_id = 1`;
      return `${row?.days} days counted`;
    },
  }));

type Job = { run: () => Promise<void>; describe: () => Promise<string> };

async function measureBeside(
  stage: Stage,
  id: 'retention' | 'statistics',
  job: string,
  prepare: (admin: postgres.Sql) => Promise<Job>,
): Promise<Measured[]> {
  const { url, adminUrl } = await shareDataset(stage);
  await enterDatabase(url);
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const front = await stage.startFront(url, { LOG_LEVEL: 'warn' });
  try {
    const keys = await addKeys(admin, 1, 120);
    const load = (until: Promise<unknown>) => runLoad(front.url, keys, until);
    await load(pause(2000));
    const baseline = await load(pause(stage.quick ? 5000 : 20_000));
    const { run, describe } = await prepare(admin);
    const started = performance.now();
    const duringJob = await load(run());
    const seconds = Math.round((performance.now() - started) / 1000);
    const note = `${await describe()} in ${seconds} s`;
    return (['pings', 'sends'] as const).flatMap((kind) =>
      compare(id, kind, job, duringJob[kind], baseline[kind], note),
    );
  } finally {
    await front.stop();
    await admin.end();
    await disconnect();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function compare(
  id: string,
  kind: 'pings' | 'sends',
  job: string,
  duringJob: number[],
  baseline: number[],
  note: string,
): Measured[] {
  const [p99, baselineP99] = [percentile(duringJob, 0.99), percentile(baseline, 0.99)];
  const summary = summarise(duringJob);
  const slowest = `slowest ${Math.round(summary.max)} ms, without ${Math.round(Math.max(...baseline))} ms`;
  return [
    { id, what: `${kind} during ${job}, p99`, unit: 'ms', goal: null, ...summary, value: p99, note },
    {
      id,
      what: `${kind}, p99 ÷ p99 without ${job}`,
      unit: '',
      goal: { atMost: 2 },
      ...summarise([p99 / baselineP99]),
      note: slowest,
    },
  ];
}

async function countRows(admin: postgres.Sql): Promise<number> {
  const [row] =
    await admin`select (select count(*) from notifications where company_id = 1) + (select count(*) from receipts where company_id = 1) as count`;
  return Number(row?.count);
}

async function runLoad(url: string, keys: string[], until: Promise<unknown>): Promise<Times> {
  const times: Times = { pings: [], sends: [] };
  const running: Promise<void>[] = [];
  let turn = 0;
  const call = async (kind: keyof Times, query: string, body?: string) => {
    const headers = {
      'X-API-Key': keys[turn++ % keys.length] ?? '',
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const started = performance.now();
    const response = await fetch(`${url}/api/v1/notif.php${query}`, { method: body ? 'POST' : 'GET', headers, body });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a call of the load was answered ${response.status}`);
    times[kind].push(performance.now() - started);
  };
  const timers = [
    setInterval(() => running.push(call('pings', '?aksi=ping')), pingEveryMs),
    setInterval(() => running.push(call('sends', '', '{"judul":"Uji","isi":"Isi uji"}')), sendEveryMs),
  ];
  try {
    await until;
  } finally {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  }
  return times;
}
