import type { ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { prometheusContentType } from 'prom-client';
import { env } from '#server/env.ts';
import { log } from '#server/log.ts';
import { listen } from '#server/runtime/listen.ts';
import { startMeasuring } from '#server/runtime/metrics/measure.ts';
import { WorkerMetrics } from '#server/runtime/worker-metrics.ts';

/** Answers Prometheus on a separate port. `follow` adds the metrics of a worker. */
export type MetricsExporter = { follow: (worker: ChildProcess) => void };

/**
 * Starts to measure this process and answers `GET /metrics` on METRICS_HOST:METRICS_PORT until the
 * process ends. `countStreamProcesses` counts the stream processes that should run now. Scrapes at
 * the same time share one reading. Throws `StartError` when the port is not available.
 */
export async function openMetricsExporter(countStreamProcesses: () => number): Promise<MetricsExporter> {
  const { METRICS_HOST: host, METRICS_PORT: port = 0, PROCESSES: configured } = env();
  const workers = new WorkerMetrics();
  const takeSnapshot = startMeasuring({
    countWanted: () => configured + countStreamProcesses(),
    // The first of several processes only supervises the others.
    count: async () => (await workers.refresh()) + (configured > 1 ? 0 : 1),
    areStreamsElsewhere: () => configured > 1 || countStreamProcesses() > 0,
  });
  let reading: Promise<string> | undefined;
  const readMetrics = () => {
    reading ??= takeSnapshot()
      .then((own) => workers.asText(own))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    answerScrape(request, response, readMetrics).catch((error: unknown) => {
      log().warn({ err: error }, 'the metrics could not be read');
      response.destroy();
    });
  });
  await listen(server, { host, port, variables: ['METRICS_HOST', 'METRICS_PORT'] });
  return { follow: (worker) => workers.follow(worker) };
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
