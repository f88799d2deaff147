import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from '#server/front/connections.ts';

const smallestReserve = 80;
const reservedShare = 0.1;
const droppedAtOnce = 0.01;

/** How many connections a process that may have `files` open may hold, streams included; the rest is for the database and its files. */
export function connectionLimit(files: number): number {
  if (!Number.isFinite(files)) return files;
  return Math.max(1, files - Math.max(smallestReserve, Math.ceil(files * reservedShare)));
}

/**
 * Keeps a server's connections, those that `countOthers` says are held beside it included, at `most`: beyond that, the oldest ones of
 * the address with the most are cut, of those that wait for something from their client (a request, the rest of it, that an answer is
 * taken). So whoever opens thousands shuts out nobody but themselves.
 */
export function keepRoom(server: Server, connections: Connections, most: number, countOthers: () => number): void {
  server.on('connection', () => {
    if (connections.size + countOthers() > most) makeRoom(connections, Math.ceil(most * droppedAtOnce));
  });
}

function makeRoom(connections: Connections, howMany: number): void {
  const waiting = [...connections].filter(([, latest]) => isWaiting(latest)).map(([socket]) => socket);
  const byAddress = Map.groupBy(waiting, ({ remoteAddress }) => remoteAddress);
  const largest = [...byAddress.values()].reduce<Socket[]>((most, one) => (one.length > most.length ? one : most), []);
  for (const socket of largest.slice(0, Math.min(howMany, Math.ceil(largest.length / 2)))) socket.destroy();
}

const isWaiting = (latest: ServerResponse | null) => latest === null || latest.writableEnded || !latest.req.complete;
