import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { compileCacheFolder } from '#server/compile-cache.ts';
import { workerEnv } from '#server/env.ts';
import type { Idle } from '#server/front/drain.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import { ConnectionDispatcher } from '#server/runtime/connection-dispatcher.ts';
import type { HttpService, ServeSettings } from '#server/runtime/http-service.ts';
import { type Installation, ownInstallation } from '#server/runtime/installation.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { maxWorkerStopMs, type WorkerCommand, type WorkerReport } from '#server/runtime/worker-messages.ts';

const maxStartMs = 60_000;
const quickDeathMs = 10_000;
const firstPauseMs = 250;
const maxPauseMs = 30_000;

/**
 * The service in several worker processes behind one port (PROCESSES above 1). Dead workers are
 * replaced: the first time at once, then after growing pauses of up to 30 s. `serve` throws
 * `StartError` when the first worker does not come up.
 */
export class WorkerPool implements HttpService {
  private readonly size: number;
  private readonly onFork: (worker: ChildProcess) => void;
  private readonly dispatcher = new ConnectionDispatcher();
  private readonly all = new Set<ChildProcess>();
  /** Workers that serve, with the time since when. */
  private readonly serving = new Map<ChildProcess, number>();
  private starting = 0;
  private failures = 0;
  private isStopping = false;
  private first: ChildProcess | undefined;
  private settings: ServeSettings | undefined;
  private installation = ownInstallation;
  private isReplacing = false;
  private isReplaceRequested = false;

  /** `onFork` gets each worker before it does anything. */
  constructor(size: number, onFork: (worker: ChildProcess) => void = () => {}) {
    this.size = size;
    this.onFork = onFork;
  }

  /** Takes the port and returns it. From now on the first worker answers there. */
  async listen(): Promise<number> {
    const port = await this.dispatcher.listen();
    this.first = this.fork();
    this.dispatcher.add(this.first);
    return port;
  }

  /** Makes all workers serve. Resolves when each one serves or was tried once. */
  async serve(settings: ServeSettings): Promise<void> {
    this.settings = settings;
    await this.startServing(this.first);
    const others = Array.from({ length: this.size - 1 }, () => this.startServing());
    for (const { status } of await Promise.allSettled(others)) if (status === 'rejected') void this.fill();
  }

  /** Stops all workers. */
  async stop(idle: Idle): Promise<void> {
    this.isStopping = true;
    this.dispatcher.close();
    await Promise.all([...this.all].map((worker) => this.stopWorker(worker, idle)));
  }

  /**
   * Runs `prepare`, then replaces the workers one after another by those of the version that it
   * returns: a new worker serves before an old one stops, and the old one has ended before the next
   * is replaced. After a failure the others go on, and the log says why. A call during a replacement
   * starts one more after it.
   */
  async replaceAll(prepare: () => Promise<Installation>): Promise<void> {
    this.isReplaceRequested = true;
    if (this.isReplacing) return;
    this.isReplacing = true;
    while (this.isReplaceRequested) {
      this.isReplaceRequested = false;
      await this.replaceEach(prepare).catch((error: unknown) => {
        if (!this.isStopping) log().error({ err: error }, 'the processes were not replaced; those that serve go on');
      });
    }
    this.isReplacing = false;
  }

  private async replaceEach(prepare: () => Promise<Installation>): Promise<void> {
    if (this.serving.size === 0) return;
    log().info('the processes are being replaced one after another');
    const before = this.installation;
    this.installation = await prepare();
    for (const old of [...this.serving.keys()]) {
      if (this.isStopping) return;
      await this.startServing().catch((error: unknown) => {
        this.installation = before;
        void this.fill();
        throw error;
      });
      if (this.serving.has(old)) await this.stopWorker(old, 'left');
    }
    // While a replacement was starting, `fill` counted it in the place of a worker that died.
    void this.fill(false);
    log().info('the processes were replaced');
  }

  private fork(): ChildProcess {
    const { root, node } = this.installation;
    const worker = fork(join(root, 'server', 'runtime', 'worker.ts'), {
      execPath: node,
      env: { ...workerEnv(), NODE_COMPILE_CACHE: compileCacheFolder },
    });
    this.all.add(worker);
    this.onFork(worker);
    worker.on('error', () => {});
    worker.on('message', (message: WorkerReport) => {
      if (message.report === 'accepted') this.dispatcher.confirm(worker, message.id);
    });
    worker.once('disconnect', () => this.dispatcher.discard(worker));
    worker.once('exit', (code, signal) => this.onExit(worker, code, signal));
    return worker;
  }

  private onExit(worker: ChildProcess, code: number | null, signal: string | null): void {
    this.dispatcher.discard(worker);
    this.all.delete(worker);
    const since = this.serving.get(worker);
    if (since === undefined) return;
    this.serving.delete(worker);
    this.failures = performance.now() - since < quickDeathMs ? this.failures + 1 : 0;
    meters()?.count('process_deaths');
    log().error({ process: worker.pid, code, signal }, 'a process died and is replaced');
    void this.fill(this.failures > 1);
  }

  // Resolves when the worker serves. Throws `StartError` when it does not within 60 s.
  private async startServing(worker = this.fork()): Promise<void> {
    if (!this.settings) throw new Error('serve() was not called yet');
    this.starting++;
    const timeout = setTimeout(() => worker.kill('SIGKILL'), maxStartMs);
    try {
      send(worker, { command: 'serve', settings: this.settings });
      await waitUntilServing(worker);
      this.serving.set(worker, performance.now());
      this.dispatcher.add(worker);
    } finally {
      clearTimeout(timeout);
      this.starting--;
    }
  }

  // Starts the missing workers. Safe to run twice at a time: workers that start are counted.
  private async fill(pauseFirst = true): Promise<void> {
    if (pauseFirst) await this.pause();
    while (!this.isStopping && this.serving.size + this.starting < this.size) {
      try {
        await this.startServing();
      } catch (error) {
        if (this.isStopping) return;
        this.failures++;
        log().error({ err: error }, 'a process did not start; it is tried again');
        await this.pause();
      }
    }
  }

  private pause(): Promise<void> {
    const ms = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.failures, 10));
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  private async stopWorker(worker: ChildProcess, idle: Idle): Promise<void> {
    this.serving.delete(worker);
    this.dispatcher.remove(worker);
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const timeout = setTimeout(() => worker.kill('SIGKILL'), maxWorkerStopMs);
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    send(worker, { command: 'stop', idle });
    await exited;
    clearTimeout(timeout);
  }
}

// An error means that the worker has just died; its `exit` event handles that.
const send = (worker: ChildProcess, command: WorkerCommand) => void worker.send(command, () => {});

function waitUntilServing(worker: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) => {
      const how = signal ?? `exit code ${code}`;
      reject(new StartError(`A process of the service ended while it was starting (${how}); see the lines above.`));
    };
    // The first worker may have died before this, while the database was waited for or the pages
    // were built.
    if (worker.exitCode !== null || worker.signalCode !== null) return onExit(worker.exitCode, worker.signalCode);
    worker.on('message', (message: WorkerReport) => {
      if (message.report === 'serving') resolve();
      if (message.report === 'failed') reject(new StartError(message.sentence));
    });
    worker.once('error', reject);
    worker.once('exit', onExit);
  });
}
