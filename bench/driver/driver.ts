import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Caller } from '#e2e/support/data/callers.ts';

const program = join(import.meta.dirname, '..', 'out', 'driver');

/** What the driver repeats: a ping, a send with an Idempotency-Key that was never used, or without one. */
export type Operation = 'ping' | 'send' | 'plain send';

/**
 * What the driver does next. `from` is the first caller: rounds go on where the last one ended, so
 * that rate limits recover. The caller's employee 0 stands for all.
 * - load: each connection sends its next request after the answer to its last.
 * - burst: sends at once, each on a connection of its own.
 * - hold: opens one stream for each cookie, as a group. `leave` closes the group.
 * - broadcast: sends `text` to everyone, and waits until the whole group has it (20 s at most).
 */
export type Command =
  | { do: 'load'; callers: Caller[]; operation: Operation; connections: number; seconds: number; from: number }
  | { do: 'burst'; callers: Caller[]; count: number; from: number }
  | { do: 'hold'; group: string; cookies: string[]; after: number }
  | { do: 'broadcast'; group: string; callers: Caller[]; from: number; text: string }
  | { do: 'leave'; group: string };

/**
 * What the driver found. `next` is the caller after the last one. `p50` and `p99` are ms per answer,
 * for a burst from its first request. `others` counts answers other than 200, and broken connections.
 * `answeredMs` and `lastMs` are from the request of a broadcast to its answer, and to the last byte on
 * the last stream. `cpuMs` is the driver's own CPU time.
 */
export type Report = {
  count: number;
  seconds: number;
  next: number;
  p50: number;
  p99: number;
  others: Record<string, number> | null;
  answeredMs: number;
  lastMs: number;
  cpuMs: number;
};

/** A program that sends requests to a service and measures the answers. */
export type Driver = {
  /** Runs a command against the service at `url` (`http://host:port`). Throws what went wrong. */
  run: (url: string, command: Command) => Promise<Report>;
  stop: () => Promise<void>;
};

/** Compiles the driver and starts it. Throws a sentence for the terminal where Go is missing. */
export async function startDriver(): Promise<Driver> {
  await compile();
  const folder = await mkdtemp(join(tmpdir(), 'notif-driver-'));
  // Long lists are handed over as files, once.
  const files = new Map<unknown, string>();
  const asFile = async (list: unknown) => {
    const file = files.get(list) ?? join(folder, `${files.size}.json`);
    if (!files.has(list)) await writeFile(file, JSON.stringify(list));
    files.set(list, file);
    return file;
  };
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    run: async (url, command) => {
      const lists = Object.entries(command).filter(([, value]) => Array.isArray(value));
      const named = await Promise.all(lists.map(async ([name, list]) => [name, await asFile(list)] as const));
      const line = { ...command, ...Object.fromEntries(named), address: new URL(url).host };
      child.stdin.write(`${JSON.stringify(line)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the driver ended: ${describeEnd(child)}`);
      const { error, ...report } = JSON.parse(value) as Report & { error?: string };
      if (error) throw new Error(`${command.do}: ${error}`);
      return report;
    },
    stop: async () => {
      child.stdin.end();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The share of a core that the driver used for a load. It shares the processor with the service. */
export const coresOf = ({ cpuMs, seconds }: Report): number => cpuMs / 1000 / seconds;

/** Throws when a report has answers other than 200, or broken connections. */
export function requireAll200({ others }: Report): void {
  if (others && Object.keys(others).length > 0) throw new Error(`not answered 200: ${JSON.stringify(others)}`);
}

const describeEnd = ({ exitCode, signalCode }: ChildProcess) => exitCode ?? signalCode ?? 'its output is closed';

async function compile(): Promise<void> {
  await mkdir(dirname(program), { recursive: true });
  try {
    execFileSync('go', ['build', '-o', program, 'main.go'], { cwd: import.meta.dirname, stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('The benchmarks compile their driver with Go, which is missing here: apt-get install golang-go');
  }
}
