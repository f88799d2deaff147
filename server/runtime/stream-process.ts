// A stream process: holds the streams whose connections the first process passes to it, and ends
// with it. It loads neither the pages nor the public interface.
import type { Socket } from 'node:net';
import { disconnect } from '#db/client.ts';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { captureOutput } from '#server/captured-output.ts';
import { env } from '#server/env.ts';
import { closeStreams, stopFeed } from '#server/feed/lifecycle.ts';
import { answerStreamConnection } from '#server/feed/stream-connection.ts';
import { log, surviveFullLog } from '#server/log.ts';
import { MetricsReporter } from '#server/runtime/metrics-reporter.ts';
import { maxWorkerStopMs, type StreamCommand, type WorkerReport } from '#server/runtime/worker-messages.ts';

surviveFullLog();
captureOutput();
surviveLostConnections();
const metrics = env().METRICS_PORT === undefined ? undefined : new MetricsReporter(report);
let isStopping = false;

process.on('message', (message: StreamCommand, connection?: Socket) => {
  if (message.command === 'stop') void stop();
  else if (message.command === 'measure') metrics?.report(!isStopping).catch(() => {});
  else {
    if (connection)
      answerStreamConnection(message.request, connection).catch((error: unknown) => {
        connection.destroy();
        log().error({ err: error }, 'a request could not be answered');
      });
    void report({ report: 'accepted', id: message.id });
  }
});
process.once('disconnect', () => void stop());
// Terminals and service managers signal all processes. Only the first one reacts; it stops the
// others itself.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
void report({ report: 'serving' });

function report(message: WorkerReport): Promise<unknown> {
  return new Promise((resolve) => process.send?.(message, resolve));
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), maxWorkerStopMs).unref();
  closeStreams();
  for (const step of [stopFeed, () => disconnect(1)]) await step().catch((error: unknown) => console.error(error));
  await metrics?.report(false).catch(() => {});
  process.exit(0);
}
