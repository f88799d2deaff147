import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Channel } from '#server/runtime/channel.ts';
import type { MetricsSnapshot } from '#server/runtime/metrics/measure.ts';

const maxWaitMs = 1500;

type WorkerChannel = Channel<{ command: 'measure' }>;

/**
 * The metrics of all workers. The totals of a worker that ended are kept: Prometheus would take a
 * sum that falls for a restart, and count everything again.
 */
export class WorkerMetrics {
  private readonly latest = new Map<WorkerChannel, MetricsSnapshot>();
  private ended: MetricsSnapshot[] = [];

  /** Adds a worker, which has no metrics yet. */
  follow(worker: WorkerChannel): void {
    this.latest.set(worker, []);
  }

  /** Records what a worker measured; null when it could not. */
  record(worker: WorkerChannel, snapshot: MetricsSnapshot | null): void {
    if (snapshot && this.latest.has(worker)) this.latest.set(worker, snapshot);
  }

  /** Removes a worker that ended. Its counters and histograms stay. */
  end(worker: WorkerChannel): void {
    this.ended.push((this.latest.get(worker) ?? []).filter(isTotal));
    this.latest.delete(worker);
  }

  /** Asks all workers. Returns how many answered within 1.5 s; the others keep their metrics. */
  async refresh(): Promise<number> {
    const answers = [...this.latest.keys()].map(async (worker) => {
      const timeout = sleep(maxWaitMs, null, { ref: false });
      const reply = await Promise.race([worker.ask({ command: 'measure' }), timeout]);
      if (reply === null || typeof reply === 'string') return false;
      this.record(worker, reply.answer as MetricsSnapshot | null);
      return true;
    });
    return (await Promise.all(answers)).filter(Boolean).length;
  }

  /** Returns the metrics of this process and all workers in Prometheus' text format. */
  async asText(own: MetricsSnapshot): Promise<string> {
    if (this.ended.length > 1)
      this.ended = [await AggregatorRegistry.aggregate(this.ended.splice(0)).getMetricsAsJSON(), ...this.ended];
    return AggregatorRegistry.aggregate([own, ...this.latest.values(), ...this.ended]).metrics();
  }
}

// prom-client declares `type` as a number; it is a string.
const isTotal = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram';
