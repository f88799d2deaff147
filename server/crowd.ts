import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
export function keepRoom(server: Server, most: number, countOthers: () => number): void {
  const held = new Map<Socket, ServerResponse | null>();
  const note = (request: IncomingMessage, response: ServerResponse) => {
    if (held.has(request.socket)) held.set(request.socket, response);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.prependListener(event, note);
  server.on('connection', (socket: Socket) => {
    held.set(socket, null);
    socket.once('close', () => held.delete(socket));
    if (held.size + countOthers() > most) makeRoom(held, Math.ceil(most * droppedAtOnce));
  });
}

function makeRoom(held: Map<Socket, ServerResponse | null>, howMany: number): void {
  const waiting = [...held].filter(([, latest]) => isWaiting(latest)).map(([socket]) => socket);
  const byAddress = Map.groupBy(waiting, ({ remoteAddress }) => remoteAddress);
  const largest = [...byAddress.values()].reduce<Socket[]>((most, one) => (one.length > most.length ? one : most), []);
  for (const socket of largest.slice(0, Math.min(howMany, Math.ceil(largest.length / 2)))) socket.destroy();
}

const isWaiting = (latest: ServerResponse | null) => latest === null || latest.writableEnded || !latest.req.complete;
