// A worker process: serves the connections that the first process passes to it, follows its
// commands, and ends with it.
import type { Socket } from 'node:net';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { env } from '#platform/config/settings.ts';
import { surviveFullLog } from '#platform/log/log.ts';
import type { Idle } from '#server/front/connections.ts';
import { Channel } from '#server/runtime/channel.ts';
import { createHttpService } from '#server/runtime/http-service.ts';
import { explainStart } from '#server/runtime/start-error.ts';
import { maxWorkerStopMs, type WorkerQuestion } from '#server/runtime/worker-pool.ts';

surviveFullLog();
surviveLostConnections();
const service = createHttpService();
new Channel(process, answer);
// Imported on demand: without METRICS_PORT the library is not loaded.
const measuring =
  env().METRICS_PORT === undefined
    ? undefined
    : import('#server/runtime/metrics.ts').then(({ startMeasuring }) => startMeasuring());
let stopped: Promise<void> | undefined;

process.once('disconnect', () => void stop('left').then(() => process.exit(0)));
// Terminals and service managers signal all processes. Only the first one reacts; it stops its
// workers itself.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});

async function answer(question: WorkerQuestion, connection: Socket | undefined): Promise<unknown> {
  if (question.command === 'serve') return service.serve(question.settings).then(() => null, explainStart);
  if (question.command === 'accept') return connection && service.accept(connection);
  if (question.command === 'stop') await stop(question.idle);
  const takeSnapshot = await measuring;
  return takeSnapshot?.(stopped === undefined);
}

function stop(idle: Idle): Promise<void> {
  if (!stopped) setTimeout(() => process.exit(1), maxWorkerStopMs).unref();
  stopped ??= service.stop(idle);
  return stopped;
}
