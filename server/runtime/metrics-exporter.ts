import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AggregatorRegistry, prometheusContentType } from 'prom-client';
import { isSupervisor } from '#platform/config/connections.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { withTimeout } from '#platform/queues/queue.ts';
import type { Channel } from '#server/runtime/channel.ts';
import { listen } from '#server/runtime/listen.ts';
import { type MetricsSnapshot, startMeasuring } from '#server/runtime/metrics.ts';

/**
 * Starts to measure this process and answers `GET /metrics` on METRICS_HOST:METRICS_PORT until the
 * process ends, with what the returned workers measure. Scrapes at the same time share one reading.
 * Throws `StartError` when the port is not available.
 */
export async function openMetricsExporter(): Promise<WorkerMetrics> {
  const { METRICS_HOST: host, METRICS_PORT: port = 0 } = env();
  const workers = new WorkerMetrics();
  const countProcesses = async () => (await workers.refresh()) + (isSupervisor() ? 0 : 1);
  const takeSnapshot = startMeasuring(countProcesses);
  let reading: Promise<string> | undefined;
  const readMetrics = () => {
    reading ??= takeSnapshot()
      .then((own) => workers.asText(own))
      .finally(() => (reading = undefined));
    return reading;
  };
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    answerScrape(request, response, readMetrics).catch((error: unknown) => {
      log().warn({ err: error }, 'the metrics could not be read');
      response.destroy();
    });
  });
  await listen(server, { host, port, variables: ['METRICS_HOST', 'METRICS_PORT'] });
  return workers;
}

async function answerScrape(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  readMetrics: () => Promise<string>,
): Promise<void> {
  if (url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const text = await readMetrics();
  response.writeHead(200, { 'Content-Type': prometheusContentType, 'Cache-Control': 'no-store' }).end(text);
}

const maxWaitMs = 1500;

type WorkerChannel = Channel<{ command: 'measure' }>;

/**
 * The metrics of all workers. The totals of a worker that ended are kept: Prometheus would take a
 * sum that falls for a restart, and count everything again.
 */
export class WorkerMetrics {
  private readonly latest = new Map<WorkerChannel, MetricsSnapshot>();
  private ended: MetricsSnapshot[] = [];

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
      const reply = await withTimeout(maxWaitMs, () => worker.ask({ command: 'measure' }));
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
