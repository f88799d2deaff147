import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { prometheusContentType } from 'prom-client';
import { isSupervisor } from '#platform/config/connections.ts';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { listen } from '#server/runtime/listen.ts';
import { startMeasuring } from '#server/runtime/metrics/measure.ts';
import { WorkerMetrics } from '#server/runtime/worker-metrics.ts';

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
