import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry } from 'prom-client';
import type { MetricsSnapshot } from '#server/runtime/metrics/measure.ts';
import type { WorkerCommand, WorkerReport } from '#server/runtime/worker-messages.ts';

const maxWaitMs = 1500;

/**
 * The metrics of all workers. The totals of a worker that ended are kept: Prometheus would take a
 * sum that falls for a restart, and count everything again.
 */
export class WorkerMetrics {
  private readonly latest = new Map<ChildProcess, MetricsSnapshot>();
  private readonly followed = new Set<ChildProcess>();
  private ended: MetricsSnapshot[] = [];

  /** Collects what a worker reports from now on. */
  follow(worker: ChildProcess): void {
    this.followed.add(worker);
    worker.on('message', (message: WorkerReport) => {
      if (message.report === 'measured') this.latest.set(worker, message.snapshot);
    });
    worker.once('disconnect', () => this.keepTotals(worker));
  }

  /**
   * Asks all workers for their metrics. Returns how many answered within 1.5 s. The last metrics of
   * the other workers stay.
   */
  async refresh(): Promise<number> {
    const answers = await Promise.all([...this.followed].map(requestSnapshot));
    return answers.filter(Boolean).length;
  }

  /** Returns the metrics of this process and all workers in Prometheus' text format. */
  async asText(own: MetricsSnapshot): Promise<string> {
    await this.mergeEnded();
    return AggregatorRegistry.aggregate([own, ...this.latest.values(), ...this.ended]).metrics();
  }

  private keepTotals(worker: ChildProcess): void {
    const last = this.latest.get(worker);
    this.latest.delete(worker);
    this.followed.delete(worker);
    if (last) this.ended.push(last.filter(isTotal));
  }

  private async mergeEnded(): Promise<void> {
    if (this.ended.length < 2) return;
    const ended = this.ended;
    this.ended = [];
    this.ended.push(await AggregatorRegistry.aggregate(ended).getMetricsAsJSON());
  }
}

// prom-client declares `type` as a number; it is a string.
const isTotal = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram';

function requestSnapshot(worker: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (answered: boolean) => {
      clearTimeout(timeout);
      worker.off('message', onMessage);
      worker.off('disconnect', onDisconnect);
      resolve(answered);
    };
    const onMessage = (message: WorkerReport) => message.report === 'measured' && finish(true);
    const onDisconnect = () => finish(false);
    const timeout = setTimeout(finish, maxWaitMs, false);
    worker.on('message', onMessage);
    worker.once('disconnect', onDisconnect);
    const command: WorkerCommand = { command: 'measure' };
    worker.send(command, () => {});
  });
}
