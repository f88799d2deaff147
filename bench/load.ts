import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Caller } from '#bench/companies.ts';

/** What the load repeats: a ping, or a send with an Idempotency-Key that was never used. */
export type Operation = 'ping' | 'send';

/** Each connection sends after its last answer. `from` is the first caller: rounds go on, so that limits recover. */
export type Load = { operation: Operation; callers: Caller[]; connections: number; seconds: number; from: number };

/** `next` is the caller after the last one; `p50` and `p99` are ms; `cores` is the share of a core that wrk took. */
export type LoadReport = { count: number; seconds: number; next: number; p50: number; p99: number; cores: number };

// Prints the CPU seconds of wrk, because it shares the processor with the service that it measures.
const timed = 'TIMEFORMAT="%U %S"; time wrk "$@"';
const script = join(import.meta.dirname, 'load.lua');

/** Runs wrk against the service at `url`. Throws when an answer is not 200, or wrk is missing. */
export async function runLoad(url: string, load: Load): Promise<LoadReport> {
  const { operation, callers, connections, seconds, from } = load;
  const folder = await mkdtemp(join(tmpdir(), 'notif-load-'));
  const file = join(folder, 'callers');
  await writeFile(file, callers.map(({ key, userId }) => `${key} ${userId}\n`).join(''));
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const words = ['--', operation, file, String(from), `${process.pid}-${Date.now()}`];
  try {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', timed, 'wrk', ...options, ...words]);
    const { failed, ...report } = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '') as LoadReport & { failed: number };
    if (failed > 0) throw new Error(`${failed} requests were not answered 200`);
    const cpuSeconds = stderr.trim().split(/\s+/).slice(-2).map(Number);
    return { ...report, cores: cpuSeconds.reduce((sum, one) => sum + one, 0) / report.seconds };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 127) throw error;
    throw new Error('The benchmarks send their load with wrk, which is missing here: apt-get install wrk');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
