import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import postgres from 'postgres';
import { cpuMsOf } from '#bench/cpu.ts';
import type { Measured } from '#bench/report.ts';
import { insertCompanies } from '#e2e/support/data/seeded.ts';
import { summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

// What the load repeats: a ping, or a send with an Idempotency-Key that was never used.
const works = [
  { id: 'P1', what: 'pings', operation: 'ping' },
  { id: 'P2', what: 'sends to one, idempotent, audited', operation: 'send' },
];

/** P1 and P2: pings and sends per second over 24 connections, with keys of many companies. */
export async function measureHttp(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  const callers = await insertCallers(adminUrl, stage.quick ? 200 : 600);
  const service = await stage.startFront(url);
  const { rounds, seconds } = stage.quick ? { rounds: 4, seconds: 1 } : { rounds: 7, seconds: 3 };
  const measured: Measured[] = [];
  let from = 0;
  for (const { id, what, operation } of works) {
    const found: (LoadReport & { cpuMs: number })[] = [];
    for (let round = -1; round < rounds; round++) {
      const before = await cpuMsOf(service.process.pid);
      const report = await runLoad(service.url, { operation, callers, seconds, from });
      const cpuMs = ((await cpuMsOf(service.process.pid)) - before) / report.count;
      from = report.next;
      // The first round is a warm-up.
      if (round >= 0) found.push({ ...report, cpuMs });
    }
    const median = (name: 'p99' | 'cpuMs') => summarise(found.map((round) => round[name])).value;
    const cores = Math.max(...found.map((round) => round.cores)).toFixed(2);
    const note = `p99 ${median('p99').toFixed(1)} ms; ${median('cpuMs').toFixed(3)} ms of the service’s CPU each; driver at most ${cores} of a core`;
    const rates = summarise(found.map((round) => round.count / round.seconds));
    measured.push({ id, what, unit: 'requests/s', ...rates, note });
  }
  return measured;
}

/** A key and an employee of its company. */
type Caller = { key: string; userId: number };

// Inserts companies with 50 keys each. Returns a caller for each key; neighbours are of different companies.
async function insertCallers(adminUrl: string, companies: number): Promise<Caller[]> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const made = await insertCompanies(sql, { companies, keys: 50 });
  await sql`analyze`;
  await sql.end();
  const callersAt = (_: unknown, place: number) =>
    made.map(({ employeeId, keys }) => ({ key: keys[place] ?? '', userId: employeeId }));
  return Array.from({ length: 50 }, callersAt).flat();
}

/** `from` is the first caller: rounds go on, so that limits recover. */
type Load = { operation: string; callers: Caller[]; seconds: number; from: number };

/** `next` is the caller after the last one; `p99` is in ms; `cores` is the share of a core that wrk took. */
type LoadReport = { count: number; seconds: number; next: number; p99: number; cores: number };

// Prints the CPU seconds of wrk, because it shares the processor with the service that it measures.
const timed = 'TIMEFORMAT="%U %S"; time wrk "$@"';

// Runs wrk. Throws when an answer is not 200, or wrk is missing.
async function runLoad(url: string, { operation, callers, seconds, from }: Load): Promise<LoadReport> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-load-'));
  const file = join(folder, 'callers');
  await writeFile(file, callers.map(({ key, userId }) => `${key} ${userId}\n`).join(''));
  const options = ['-t1', '-c24', `-d${seconds}s`, '-s', join(import.meta.dirname, 'load.lua'), url];
  const words = ['--', operation, file, String(from), `${process.pid}-${Date.now()}`];
  const ended = await execa('bash', ['-c', timed, 'wrk', ...options, ...words], { reject: false });
  await rm(folder, { recursive: true, force: true });
  if (ended.exitCode === 127)
    throw new Error('The benchmarks send their load with wrk, which is missing here: apt-get install wrk');
  const report = JSON.parse(/^\{.*\}$/m.exec(ended.stdout)?.[0] ?? '') as LoadReport & { failed: number };
  if (report.failed > 0) throw new Error(`${report.failed} requests were not answered 200`);
  const cpuSeconds = ended.stderr.trim().split(/\s+/).slice(-2).map(Number);
  return { ...report, cores: cpuSeconds.reduce((sum, one) => sum + one, 0) / report.seconds };
}
