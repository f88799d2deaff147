// A worker process: serves the connections that the first process hands over, follows its commands,
// and ends with it.
import type { Socket } from 'node:net';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { captureOutput } from '#server/captured-output.ts';
import { env } from '#server/env.ts';
import type { Idle } from '#server/front/drain.ts';
import { surviveFullLog } from '#server/log.ts';
import { createHttpService } from '#server/runtime/http-service.ts';
import { MetricsReporter } from '#server/runtime/metrics-reporter.ts';
import { explainStart } from '#server/runtime/start-error.ts';
import { maxWorkerStopMs, type WorkerCommand, type WorkerReport } from '#server/runtime/worker-messages.ts';

surviveFullLog();
captureOutput();
surviveLostConnections();
const service = createHttpService();
const metrics = env().METRICS_PORT === undefined ? undefined : new MetricsReporter(report);
let isStopping = false;

process.on('message', (message: WorkerCommand, connection?: Socket) => {
  if (message.command === 'stop') void stop(message.idle);
  else if (message.command === 'measure') metrics?.report(!isStopping).catch(() => {});
  else if (message.command === 'serve') service.serve(message.settings).then(() => report({ report: 'serving' }), fail);
  else {
    if (connection) service.accept(connection);
    void report({ report: 'accepted', id: message.id });
  }
});
process.once('disconnect', () => void stop('left'));
// Terminals and service managers signal all processes. Only the first one reacts; it stops its
// workers itself.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});

function report(message: WorkerReport): Promise<unknown> {
  return new Promise((resolve) => process.send?.(message, resolve));
}

async function stop(idle: Idle): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), maxWorkerStopMs).unref();
  await service.stop(idle);
  await metrics?.report(false).catch(() => {});
  process.exit(0);
}

async function fail(error: unknown): Promise<void> {
  await report({ report: 'failed', sentence: explainStart(error) });
  process.exit(1);
}
