import type { ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { prometheusContentType } from 'prom-client';
import { env } from '#server/env.ts';
import { log } from '#server/log.ts';
import { listen } from '#server/runtime/listen.ts';
import { Collected } from '#server/runtime/metrics/collected.ts';
import { startMeasuring } from '#server/runtime/metrics/measured.ts';

/** What answers Prometheus, on a port of its own: for this process, and for those it is told to follow. */
export type Exporter = { follow: (worker: ChildProcess) => void; stop: () => Promise<void> };

/**
 * Measures this process and answers `GET /metrics` on `METRICS_HOST`:`METRICS_PORT`. Whoever asks while an answer is being made gets
 * that one. Throws `StartError` when the port cannot be had.
 */
export async function openExporter(): Promise<Exporter> {
  const { METRICS_HOST: host, METRICS_PORT: port = 0, PROCESSES: wanted } = env();
  const collected = new Collected();
  const measure = startMeasuring({ wanted, countProcesses: async () => (wanted > 1 ? collected.ask() : 1) });
  let underway: Promise<string> | undefined;
  const read = () => {
    underway ??= measure()
      .then((own) => collected.asText(own))
      .finally(() => {
        underway = undefined;
      });
    return underway;
  };
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    answerScrape(request, response, read).catch((error: unknown) => {
      log().warn({ err: error }, 'the metrics could not be answered');
      response.destroy();
    });
  });
  await listen(server, { host, port, variables: ['METRICS_HOST', 'METRICS_PORT'] });
  return {
    follow: (worker) => collected.follow(worker),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answerScrape(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  read: () => Promise<string>,
): Promise<void> {
  if (url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const text = await read();
  response.writeHead(200, { 'Content-Type': prometheusContentType, 'Cache-Control': 'no-store' }).end(text);
}
