import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerEnv } from '#platform/config/processes.ts';
import { log } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import type { Idle } from '#server/front/connections.ts';
import { Channel } from '#server/runtime/channel.ts';
import type { HttpService, ServeSettings } from '#server/runtime/http-service.ts';
import { type Installation, ownInstallation } from '#server/runtime/installation.ts';
import { listen } from '#server/runtime/listen.ts';
import type { MetricsSnapshot } from '#server/runtime/metrics.ts';
import type { WorkerMetrics } from '#server/runtime/metrics-exporter.ts';
import { StartError } from '#server/runtime/start-error.ts';

/** How long a worker may take to stop, in milliseconds. After that it is killed. */
export const maxWorkerStopMs = 8500;
const maxStartMs = 60_000;
const quickDeathMs = 10_000;
const firstPauseMs = 250;
const maxPauseMs = 30_000;

/**
 * What the first process asks a worker. `accept` comes with a connection. `serve` is answered with
 * null, or with the sentence to print (`explainStart`). `measure` and `stop` are answered with the
 * worker's metrics, or null when it measures nothing.
 */
export type WorkerQuestion =
  | { command: 'accept' }
  | { command: 'serve'; settings: ServeSettings }
  | { command: 'measure' }
  | { command: 'stop'; idle: Idle };

/** The first process's side of the channel to a worker. */
export type WorkerChannel = Channel<WorkerQuestion>;

type End = { code?: number | null; signal?: string | null; error?: string };

type Worker = {
  child: ChildProcess;
  channel: WorkerChannel;
  ended: Promise<End>;
  state: 'starting' | 'serving' | 'stopping';
  servesSince: number;
};

/**
 * The service in several equal processes behind one port (PROCESSES above 1). This process owns the
 * port, reads nothing from connections and passes them to the workers in rotation; without a worker
 * they wait. Dead workers are replaced: the first time at once, then after growing pauses of up to
 * 30 s. `serve` throws `StartError` when the first worker does not come up.
 */
export class WorkerPool implements HttpService {
  private readonly server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (connection) => {
    connection.on('error', () => {});
    void this.pass(connection);
  });
  private readonly size: number;
  private readonly metrics: WorkerMetrics | undefined;
  private readonly workers = new Set<Worker>();
  /** The workers that get connections; the first one gets the next. */
  private rotation: Worker[] = [];
  private waiting: Socket[] = [];
  private settings: ServeSettings | undefined;
  private installation = ownInstallation;
  /** Deaths soon after the start, and failed starts, in a row. */
  private failures = 0;
  private isFilling = false;
  private isStopping = false;
  private replacing: Promise<void> = Promise.resolve();
  private isReplaceQueued = false;

  constructor(size: number, metrics?: WorkerMetrics) {
    this.size = size;
    this.metrics = metrics;
  }

  /** Takes the port and returns it. From now on the first worker answers there. */
  async listen(): Promise<number> {
    const port = await listen(this.server);
    this.addToRotation(this.fork());
    return port;
  }

  /** Makes all workers serve. Resolves when each one serves or was tried once. */
  async serve(settings: ServeSettings): Promise<void> {
    this.settings = settings;
    const [first] = this.workers;
    await this.startServing(first);
    await Promise.allSettled(Array.from({ length: this.size - 1 }, () => this.startServing()));
    void this.fill();
  }

  async stop(idle: Idle): Promise<void> {
    this.isStopping = true;
    this.server.close();
    for (const connection of this.waiting.splice(0)) connection.destroy();
    await Promise.all([...this.workers].map((worker) => this.stopWorker(worker, idle)));
  }

  /**
   * Runs `prepare`, then replaces the workers one after another by those of the version that it
   * returns: a new worker serves before an old one stops, and the old one has ended before the next
   * is replaced. After a failure the others go on, and the log says why. A call during a
   * replacement starts one more after it.
   */
  replaceAll(prepare: () => Promise<Installation>): void {
    if (this.isReplaceQueued) return;
    this.isReplaceQueued = true;
    this.replacing = this.replacing
      .then(() => this.replaceEach(prepare))
      .catch((error: unknown) => {
        if (!this.isStopping) log().error({ err: error }, 'the processes were not replaced; those that serve go on');
      })
      // While a replacement was starting, `fill` counted it in the place of a worker that died.
      .then(() => this.fill());
  }

  private async replaceEach(prepare: () => Promise<Installation>): Promise<void> {
    this.isReplaceQueued = false;
    if (this.listServing().length === 0) return;
    log().info('the processes are being replaced one after another');
    const before = this.installation;
    this.installation = await prepare();
    for (const old of this.listServing()) {
      if (this.isStopping) return;
      await this.startServing().catch((error: unknown) => {
        this.installation = before;
        throw error;
      });
      if (old.state === 'serving') await this.stopWorker(old, 'left');
    }
    log().info('the processes were replaced');
  }

  private readonly listServing = () => [...this.workers].filter(({ state }) => state === 'serving');

  // Both processes hold a connection until the worker confirms it. With Node's own protocol the
  // connection of a dying worker would stay open for ever.
  private async pass(connection: Socket): Promise<void> {
    const worker = this.rotation.shift();
    if (!worker) return void this.waiting.push(connection);
    this.rotation.push(worker);
    const reply = await worker.channel.ask({ command: 'accept' }, connection);
    if (reply !== 'unsent') return void connection.destroy();
    this.removeFromRotation(worker);
    return this.pass(connection);
  }

  private addToRotation(worker: Worker): void {
    if (!worker.child.connected || this.rotation.includes(worker)) return;
    this.rotation.push(worker);
    for (const connection of this.waiting.splice(0)) void this.pass(connection);
  }

  // The worker still gets what was sent to it, before any later command.
  private removeFromRotation(worker: Worker): void {
    this.rotation = this.rotation.filter((one) => one !== worker);
  }

  private fork(): Worker {
    const { root, node } = this.installation;
    const child = fork(join(root, 'server', 'runtime', 'worker.ts'), {
      execPath: node,
      env: { ...workerEnv(), NODE_COMPILE_CACHE: join(root, '.next', 'compiled') },
    });
    const channel: WorkerChannel = new Channel(child);
    const ended = new Promise<End>((resolve) => {
      child.on('error', ({ message }) => resolve({ error: message }));
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    const worker: Worker = { child, channel, ended, state: 'starting', servesSince: 0 };
    this.workers.add(worker);
    this.metrics?.follow(channel);
    child.once('disconnect', () => this.removeFromRotation(worker));
    void ended.then((end) => this.onEnd(worker, end));
    return worker;
  }

  private onEnd(worker: Worker, end: End): void {
    this.removeFromRotation(worker);
    this.workers.delete(worker);
    this.metrics?.end(worker.channel);
    if (worker.state !== 'serving') return;
    this.failures = performance.now() - worker.servesSince < quickDeathMs ? this.failures + 1 : 0;
    metrics()?.count('process_deaths');
    log().error({ process: worker.child.pid, ...end }, 'a process died and is replaced');
    void this.fill();
  }

  // Resolves when the worker serves. Throws `StartError` when it does not within 60 s.
  private async startServing(worker = this.fork()): Promise<void> {
    if (!this.settings) throw new Error('serve() was not called yet');
    const timeout = setTimeout(() => worker.child.kill('SIGKILL'), maxStartMs);
    const reply = await worker.channel.ask({ command: 'serve', settings: this.settings });
    clearTimeout(timeout);
    if (typeof reply === 'string') {
      const { code, signal, error } = await worker.ended;
      const how = error ?? signal ?? `exit code ${code}`;
      throw new StartError(`A process of the service ended while it was starting (${how}); see the lines above.`);
    }
    if (reply.answer !== null) {
      worker.state = 'stopping';
      disconnect(worker);
      throw new StartError(String(reply.answer));
    }
    if (worker.state !== 'starting') return;
    worker.state = 'serving';
    worker.servesSince = performance.now();
    this.addToRotation(worker);
  }

  // Starts the workers that are missing.
  private async fill(): Promise<void> {
    if (this.isFilling) return;
    this.isFilling = true;
    while (this.isMissing()) {
      if (this.failures > 1) await sleep(Math.min(maxPauseMs, firstPauseMs * 2 ** this.failures));
      if (!this.isMissing()) break;
      await this.startServing().catch((error: unknown) => {
        this.failures++;
        if (!this.isStopping) log().error({ err: error }, 'a process did not start; it is tried again');
      });
    }
    this.isFilling = false;
  }

  private isMissing(): boolean {
    return !this.isStopping && [...this.workers].filter(({ state }) => state !== 'stopping').length < this.size;
  }

  // The worker ends when it has told what it measured.
  private async stopWorker(worker: Worker, idle: Idle): Promise<void> {
    worker.state = 'stopping';
    this.removeFromRotation(worker);
    const timeout = setTimeout(() => worker.child.kill('SIGKILL'), maxWorkerStopMs);
    const reply = await worker.channel.ask({ command: 'stop', idle });
    if (typeof reply !== 'string') this.metrics?.record(worker.channel, reply.answer as MetricsSnapshot | null);
    disconnect(worker);
    await worker.ended;
    clearTimeout(timeout);
  }
}

// A worker whose channel is closed stops and ends.
function disconnect({ child }: Worker): void {
  if (child.connected) child.disconnect();
}
