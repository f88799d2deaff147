import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { workerEnv } from '#server/env.ts';
import type { Idle } from '#server/front/drain.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import { Door, type Handover } from '#server/runtime/connection-dispatcher.ts';
import type { Measured } from '#server/runtime/metrics/measured.ts';
import type { Found, Serving } from '#server/runtime/serving.ts';
import { StartError } from '#server/runtime/start-error.ts';

/** What a process is told by the first one. */
export type Order = Handover | { order: 'serve'; found: Found } | { order: 'stop'; idle: Idle } | { order: 'measure' };
/** What it answers: that it serves, why it cannot, which connection it took, or what it measured. */
export type Report =
  | { report: 'serving' }
  | { report: 'failed'; sentence: string }
  | { report: 'taken'; id: number }
  | { report: 'measured'; measured: Measured };

/** How long a process may take to stop before it is ended by force. */
export const longestStopMs = 8500;
const longestStartMs = 60_000;
const quickDeathMs = 10_000;
const longestPauseMs = 30_000;

/**
 * Several processes that serve one port: started, replaced when they die, and ended by this one. `serve` throws `StartError` when the
 * first does not come up; others are tried again, at first at once, then after pauses of up to 30 s.
 */
export class Processes implements Serving {
  private readonly wanted: number;
  private readonly onFork: (worker: ChildProcess) => void;
  private readonly door = new Door();
  private readonly all = new Set<ChildProcess>();
  private readonly serving = new Map<ChildProcess, number>();
  private starting = 0;
  private failures = 0;
  private stopping = false;
  private first: ChildProcess | undefined;
  private found: Found | undefined;
  private replacing = false;
  private again = false;

  /** `onFork` is told of each process before it does anything. */
  constructor(wanted: number, onFork: (worker: ChildProcess) => void = () => {}) {
    this.wanted = wanted;
    this.onFork = onFork;
  }

  /** Takes the port; the first process answers there from now on. */
  async listen(): Promise<number> {
    const port = await this.door.open();
    this.first = this.fork();
    this.door.letIn(this.first);
    return port;
  }

  /** Resolves when all processes serve, or were tried once. */
  async serve(found: Found): Promise<void> {
    this.found = found;
    await this.bringUp(this.first);
    const others = Array.from({ length: this.wanted - 1 }, () => this.bringUp());
    for (const { status } of await Promise.allSettled(others)) if (status === 'rejected') void this.fill();
  }

  /** Stops all processes. */
  async stop(idle: Idle): Promise<void> {
    this.stopping = true;
    this.door.close();
    await Promise.all([...this.all].map((worker) => this.dismiss(worker, idle)));
  }

  /**
   * Runs `prepare`, then replaces the processes one after another: each new one is ready before an old one leaves, and the old one
   * has gone before the next. When something does not come up, whoever serves goes on and the log says why. Asked meanwhile, it
   * begins once more at its end.
   */
  async replaceAll(prepare: () => Promise<void>): Promise<void> {
    this.again = true;
    if (this.replacing) return;
    this.replacing = true;
    while (this.again) {
      this.again = false;
      await this.replaceEach(prepare).catch((error: unknown) => {
        if (!this.stopping) log().error({ err: error }, 'the processes were not replaced; those that serve go on');
      });
    }
    this.replacing = false;
  }

  private async replaceEach(prepare: () => Promise<void>): Promise<void> {
    if (this.serving.size === 0) return;
    log().info('the processes are replaced one after another');
    await prepare();
    for (const old of [...this.serving.keys()]) {
      if (this.stopping) return;
      await this.bringUp().catch((error: unknown) => {
        void this.fill();
        throw error;
      });
      if (this.serving.has(old)) await this.dismiss(old, 'left');
    }
    // One that died meanwhile was not missed while its successor's place was taken by a substitute.
    void this.fill(false);
    log().info('the processes were replaced');
  }

  private fork(): ChildProcess {
    const worker = fork(join(import.meta.dirname, 'worker.ts'), { env: workerEnv() });
    this.all.add(worker);
    this.onFork(worker);
    worker.on('error', () => {});
    worker.on('message', (told: Report) => told.report === 'taken' && this.door.noteTaken(worker, told.id));
    worker.once('disconnect', () => this.door.forget(worker));
    worker.once('exit', (code, signal) => this.noteExit(worker, code, signal));
    return worker;
  }

  private noteExit(worker: ChildProcess, code: number | null, signal: string | null): void {
    this.door.forget(worker);
    this.all.delete(worker);
    const since = this.serving.get(worker);
    if (since === undefined) return;
    this.serving.delete(worker);
    this.failures = performance.now() - since < quickDeathMs ? this.failures + 1 : 0;
    meters()?.count('process_deaths');
    log().error({ process: worker.pid, code, signal }, 'a process died and is replaced');
    void this.fill(this.failures > 1);
  }

  // Resolves when the process serves; it counts from then on.
  private async bringUp(worker = this.fork()): Promise<void> {
    if (!this.found) throw new Error('nothing is known to serve with');
    this.starting++;
    const late = setTimeout(() => worker.kill('SIGKILL'), longestStartMs);
    try {
      tell(worker, { order: 'serve', found: this.found });
      await untilServing(worker);
      this.serving.set(worker, performance.now());
      this.door.letIn(worker);
    } finally {
      clearTimeout(late);
      this.starting--;
    }
  }

  // Brings up what is missing; two of these at a time do not bring up too many.
  private async fill(afterPause = true): Promise<void> {
    if (afterPause) await this.pause();
    while (!this.stopping && this.serving.size + this.starting < this.wanted) {
      try {
        await this.bringUp();
      } catch (error) {
        if (this.stopping) return;
        this.failures++;
        log().error({ err: error }, 'a process did not come up; it is tried again');
        await this.pause();
      }
    }
  }

  private pause(): Promise<void> {
    const ms = Math.min(longestPauseMs, 250 * 2 ** Math.min(this.failures, 10));
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  private async dismiss(worker: ChildProcess, idle: Idle): Promise<void> {
    this.serving.delete(worker);
    this.door.letOut(worker);
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const late = setTimeout(() => worker.kill('SIGKILL'), longestStopMs);
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    tell(worker, { order: 'stop', idle });
    await gone;
    clearTimeout(late);
  }
}

// One that has just died hears nothing; its exit says the rest.
const tell = (worker: ChildProcess, order: Order) => void worker.send(order, () => {});

function untilServing(worker: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) => {
      const how = signal ?? `exit code ${code}`;
      reject(new StartError(`A process of the service ended while it was starting (${how}); see the lines above.`));
    };
    // The first one may have waited long for the database and the build, and not have lived to see them.
    if (worker.exitCode !== null || worker.signalCode !== null) return ended(worker.exitCode, worker.signalCode);
    worker.on('message', (told: Report) => {
      if (told.report === 'serving') resolve();
      if (told.report === 'failed') reject(new StartError(told.sentence));
    });
    worker.once('error', reject);
    worker.once('exit', ended);
  });
}
