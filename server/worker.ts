import type { Socket } from 'node:net';
import type { Idle } from '#server/drain.ts';
import { surviveFullLog } from '#server/log.ts';
import { longestStopMs, type Order, type Report } from '#server/processes.ts';
import { serveHere } from '#server/serving.ts';
import { explainStart } from '#server/start-error.ts';

// One of several processes: it serves the connections that the first one hands over, does what that one orders, and ends with it.

surviveFullLog();
const report = (what: Report) => new Promise((resolve) => process.send?.(what, resolve));
const serving = serveHere();
let stopping = false;

async function stop(idle: Idle): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), longestStopMs).unref();
  await serving.stop(idle);
  process.exit(0);
}

async function fail(error: unknown): Promise<void> {
  await report({ report: 'failed', sentence: explainStart(error) });
  process.exit(1);
}

process.on('message', (told: Order, connection?: Socket) => {
  if (told.order === 'stop') void stop(told.idle);
  else if (told.order === 'serve') serving.serve(told.found).then(() => report({ report: 'serving' }), fail);
  else {
    if (connection) serving.take(connection);
    void report({ report: 'taken', id: told.id });
  }
});
process.once('disconnect', () => void stop('left'));
// A terminal or a service manager tells all of its processes; only the first one answers, and no longer deals connections to those it stops.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
