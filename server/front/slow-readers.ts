import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Connections } from '#server/front/connections.ts';

// How slowly a client may read: `graceMs` longer than its response takes at `bytesPerSecond`.
type ReadingPace = { graceMs: number; bytesPerSecond: number; checkMs: number };

const defaultPace: ReadingPace = { graceMs: 30_000, bytesPerSecond: 2 * 1024, checkMs: 5000 };

// Bytes at which the observation began, and how long the response waited for its client since.
type Observed = { fromBytes: number; waitedMs: number };

/**
 * Closes connections whose client reads its response too slowly, so that it cannot keep a response
 * in memory for ever. Only time counts in which bytes wait for the client. Streams have left
 * `connections` and have their own limit.
 */
export function limitSlowReaders(server: Server, connections: Connections, pace = defaultPace): void {
  const observed = new WeakMap<ServerResponse, Observed>();
  const check = () => {
    for (const [socket, response] of connections)
      if (response && isTooSlow(observed, socket, response, pace)) socket.destroy();
  };
  server.once('listening', () => {
    const timer = setInterval(check, pace.checkMs).unref();
    server.once('close', () => clearInterval(timer));
  });
}

function isTooSlow(
  observed: WeakMap<ServerResponse, Observed>,
  socket: Socket,
  response: ServerResponse,
  { graceMs, bytesPerSecond, checkMs }: ReadingPace,
): boolean {
  const waiting = socket.writableLength;
  if (response.writableFinished || waiting === 0) return false;
  // `bytesWritten` includes the bytes that wait.
  const known = observed.get(response) ?? { fromBytes: socket.bytesWritten - waiting, waitedMs: 0 };
  observed.set(response, { ...known, waitedMs: known.waitedMs + checkMs });
  const bytes = socket.bytesWritten - known.fromBytes;
  return known.waitedMs > graceMs + (bytes / bytesPerSecond) * 1000;
}
