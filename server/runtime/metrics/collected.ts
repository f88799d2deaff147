import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry } from 'prom-client';
import type { Measured } from '#server/runtime/metrics/measured.ts';
import type { Order, Report } from '#server/runtime/processes.ts';

const longestWaitMs = 1500;

/**
 * What several processes measured, put together. What a process counted stays counted when it is gone, as far as it was heard: a sum that
 * fell would look like a restart, and everything in it like news.
 */
export class Collected {
  private readonly latest = new Map<ChildProcess, Measured>();
  private readonly followed = new Set<ChildProcess>();
  private gone: Measured[] = [];

  /** Hears what a process reports from now on, until its last word. */
  follow(worker: ChildProcess): void {
    this.followed.add(worker);
    worker.on('message', (told: Report) => {
      if (told.report === 'measured') this.latest.set(worker, told.measured);
    });
    worker.once('disconnect', () => this.forget(worker));
  }

  /** Has each process measured anew, and answers how many did so in time; of the others there is what they said before. */
  async ask(): Promise<number> {
    const answers = await Promise.all([...this.followed].map(askToMeasure));
    return answers.filter(Boolean).length;
  }

  /** Everything, together with what this process itself measured, as text in Prometheus' format. */
  async asText(own: Measured): Promise<string> {
    await this.compact();
    return AggregatorRegistry.aggregate([own, ...this.latest.values(), ...this.gone]).metrics();
  }

  private forget(worker: ChildProcess): void {
    const last = this.latest.get(worker);
    this.latest.delete(worker);
    this.followed.delete(worker);
    if (last) this.gone.push(last.filter(isTotal));
  }

  private async compact(): Promise<void> {
    if (this.gone.length < 2) return;
    const all = this.gone;
    this.gone = [];
    this.gone.push(await AggregatorRegistry.aggregate(all).getMetricsAsJSON());
  }
}

// The library's types say a number; it is a word.
const isTotal = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram';

function askToMeasure(worker: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (heard: boolean) => {
      clearTimeout(late);
      worker.off('message', hear);
      worker.off('disconnect', gone);
      resolve(heard);
    };
    const hear = (told: Report) => told.report === 'measured' && end(true);
    const gone = () => end(false);
    const late = setTimeout(end, longestWaitMs, false);
    worker.on('message', hear);
    worker.once('disconnect', gone);
    const order: Order = { order: 'measure' };
    worker.send(order, () => {});
  });
}
