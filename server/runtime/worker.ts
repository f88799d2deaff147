import type { Socket } from 'node:net';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { env } from '#server/env.ts';
import type { Idle } from '#server/front/drain.ts';
import { surviveFullLog } from '#server/log.ts';
import type { Measure } from '#server/runtime/metrics/measured.ts';
import { longestStopMs, type Order, type Report } from '#server/runtime/processes.ts';
import { serveHere } from '#server/runtime/serving.ts';
import { explainStart } from '#server/runtime/start-error.ts';

// One of several processes: it serves the connections that the first one hands over, does what that one orders, and ends with it.

surviveFullLog();
surviveLostConnections();
const report = (what: Report) => new Promise((resolve) => process.send?.(what, resolve));
const serving = serveHere();
const measuring = env().METRICS_PORT === undefined ? undefined : measureHere();
let stopping = false;

async function measureHere(): Promise<Measure> {
  const { startMeasuring } = await import('#server/runtime/metrics/measured.ts');
  return startMeasuring();
}

async function reportMeasured(withState: boolean): Promise<void> {
  const measure = await measuring;
  if (measure) await report({ report: 'measured', measured: await measure(withState) });
}

async function stop(idle: Idle): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), longestStopMs).unref();
  await serving.stop(idle);
  await reportMeasured(false).catch(() => {});
  process.exit(0);
}

async function fail(error: unknown): Promise<void> {
  await report({ report: 'failed', sentence: explainStart(error) });
  process.exit(1);
}

process.on('message', (told: Order, connection?: Socket) => {
  if (told.order === 'stop') void stop(told.idle);
  else if (told.order === 'measure') reportMeasured(!stopping).catch(() => {});
  else if (told.order === 'serve') serving.serve(told.found).then(() => report({ report: 'serving' }), fail);
  else {
    if (connection) serving.take(connection);
    void report({ report: 'taken', id: told.id });
  }
});
process.once('disconnect', () => void stop('left'));
// A terminal or a service manager tells all of its processes; only the first one answers, and no longer deals connections to those it stops.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
