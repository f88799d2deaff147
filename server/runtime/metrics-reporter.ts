import type { TakeSnapshot } from '#server/runtime/metrics/measure.ts';
import type { WorkerReport } from '#server/runtime/worker-messages.ts';

/** Measures this process from now on and reports it to the first process. */
export class MetricsReporter {
  private readonly measuring: Promise<TakeSnapshot>;
  private readonly send: (report: WorkerReport) => Promise<unknown>;

  /** `send` sends a report to the first process. */
  constructor(send: (report: WorkerReport) => Promise<unknown>) {
    this.send = send;
    // Imported on demand: without METRICS_PORT the library is not loaded.
    this.measuring = import('#server/runtime/metrics/measure.ts').then(({ startMeasuring }) => startMeasuring());
  }

  /** Reports the metrics of this process, with or without its gauges. */
  async report(withGauges: boolean): Promise<void> {
    const takeSnapshot = await this.measuring;
    await this.send({ report: 'measured', snapshot: await takeSnapshot(withGauges) });
  }
}
