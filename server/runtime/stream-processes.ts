import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileCacheFolder } from '#server/compile-cache.ts';
import { workerEnv } from '#server/env.ts';
import type { PassStream, StreamHolders } from '#server/feed/node-listener.ts';
import { countStreams } from '#server/feed/stream.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import { SocketHandover } from '#server/runtime/socket-handover.ts';
import {
  maxWorkerStopMs,
  type StreamCommand,
  type StreamHandover,
  type WorkerReport,
} from '#server/runtime/worker-messages.ts';

// Streams make little garbage. Node's default would let each process grow by tens of megabytes.
const memoryFlags = ['--max-semi-space-size=2'];
const maxStartMs = 2000;
const quickDeathMs = 10_000;
const firstPauseMs = 250;
const maxPauseMs = 30_000;
// Writing to so many takes a few milliseconds. More are worth the memory of further processes.
const maxStreamsAlone = 100;

/**
 * The processes that hold the portals' streams, so that a broadcast is written on several cores and
 * apart from pages and calls. They start when this process holds 100 streams, or with `start`. All
 * streams of an account go to one of them, which knows their number. While none serves, this process
 * holds the streams. Dead ones are replaced: the first time at once, then after growing pauses of up
 * to 30 s.
 */
export class StreamProcesses implements StreamHolders {
  private readonly countNeeded: () => number;
  private size = 0;
  private readonly onFork: (child: ChildProcess) => void;
  private readonly handover = new SocketHandover();
  private readonly all = new Set<ChildProcess>();
  /** The processes that serve, each in its place. */
  private readonly serving: (ChildProcess | undefined)[] = [];
  private started: Promise<unknown> | undefined;
  private failures = 0;
  private isStopping = false;

  /**
   * `countNeeded` says how many to start, when they start. `onFork` gets each process before it does
   * anything.
   */
  constructor(countNeeded: () => number, onFork: (child: ChildProcess) => void = () => {}) {
    this.countNeeded = countNeeded;
    this.onFork = onFork;
  }

  /** How many processes should run now. */
  countWanted(): number {
    return this.size;
  }

  /** How many connections are on their way to a process. */
  countPassing(): number {
    return this.handover.count();
  }

  /** Starts the processes, once. Resolves when all serve, or after 2 s. */
  async start(): Promise<void> {
    this.started ??= this.startAll();
    await this.started;
  }

  private startAll(): Promise<unknown> {
    this.size = this.countNeeded();
    const places = Array.from({ length: this.size }, (_, place) => place);
    return Promise.race([
      Promise.all(places.map((place) => this.fork(place))),
      sleep(maxStartMs, undefined, { ref: false }),
    ]);
  }

  /** See `StreamHolders`. */
  async find(accountId: number): Promise<PassStream | null> {
    if (this.isStopping || (!this.started && countStreams() < maxStreamsAlone)) return null;
    await this.start();
    const places = Array.from({ length: this.size }, (_, next) => (accountId + next) % this.size);
    const child = places.map((place) => this.serving[place]).find((one) => one !== undefined);
    if (!child || this.isStopping) return null;
    return (request, connection) => {
      const command: StreamHandover = { command: 'hold', request };
      // The portal reconnects.
      this.handover.pass(child, connection, command, () => connection.destroy());
    };
  }

  /** Stops all processes. Each ends its streams and tells the portals when to reconnect. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.all].map(stopProcess));
  }

  // Resolves when the process serves or has ended.
  private fork(place: number): Promise<void> {
    const child = fork(join(import.meta.dirname, 'stream-process.ts'), {
      env: { ...workerEnv('streams'), NODE_COMPILE_CACHE: compileCacheFolder },
      execArgv: [...process.execArgv, ...memoryFlags],
    });
    const startedAt = performance.now();
    this.all.add(child);
    this.onFork(child);
    child.on('error', () => {});
    child.once('disconnect', () => this.discard(place, child));
    return new Promise((resolve) => {
      child.on('message', (message: WorkerReport) => {
        if (message.report === 'accepted') this.handover.confirm(child, message.id);
        if (message.report !== 'serving') return;
        this.serving[place] = child;
        resolve();
      });
      child.once('exit', (code, signal) => {
        this.discard(place, child);
        this.all.delete(child);
        resolve();
        if (!this.isStopping) this.replace(place, { process: child.pid, code, signal }, performance.now() - startedAt);
      });
    });
  }

  private discard(place: number, child: ChildProcess): void {
    if (this.serving[place] === child) this.serving[place] = undefined;
    this.handover.discard(child);
  }

  private replace(place: number, death: object, livedMs: number): void {
    this.failures = livedMs < quickDeathMs ? this.failures + 1 : 0;
    meters()?.count('process_deaths');
    log().error(death, 'a process died and is replaced');
    const pauseMs = this.failures > 1 ? Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.failures, 10)) : 0;
    setTimeout(() => this.isStopping || void this.fork(place), pauseMs).unref();
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timeout = setTimeout(() => child.kill('SIGKILL'), maxWorkerStopMs);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const command: StreamCommand = { command: 'stop' };
  child.send(command, () => {});
  await exited;
  clearTimeout(timeout);
}
