import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '#platform/config/ip-address.ts';
import { clientAddressOf, isFromProxy } from '#platform/net/client-address.ts';
import type { Connections } from '#server/front/connections.ts';

const minReservedFiles = 80;
const reservedShare = 0.1;
const closedShare = 0.01;

/**
 * How many connections, streams included, a process with `files` file descriptors may hold. A tenth
 * of the files, at least 80, stays free for the database and for files on disk.
 */
export function connectionLimit(files: number): number {
  if (!Number.isFinite(files)) return files;
  return Math.max(1, files - Math.max(minReservedFiles, Math.ceil(files * reservedShare)));
}

/**
 * Limits the connections of a server, with those that `countOthers` returns. Above `limit`, the oldest waiting ones of
 * the client address with the most are closed: a client that opens thousands harms only itself. One waits while its
 * client sends no request, sends slowly, or does not read. That of a trusted proxy belongs to the client of its running
 * request, and without one is closed only when no client has many.
 */
export function limitConnections(
  server: Server,
  connections: Connections,
  limit: number,
  countOthers: () => number,
): void {
  server.on('connection', () => {
    if (connections.size + countOthers() > limit) closeWaiting(connections, Math.ceil(limit * closedShare));
  });
}

function closeWaiting(connections: Connections, count: number): void {
  const waiting = [...connections].filter(([, latest]) => isWaiting(latest));
  const groups = Map.groupBy(waiting, ([socket, latest]) => {
    if (isIdle(latest) && isFromProxy(socket)) return spare;
    return addressGroup(clientAddressOf({ socket, headers: latest?.req.headers ?? {} }));
  });
  const ofProxies = groups.get(spare) ?? [];
  groups.delete(spare);
  const largest = [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
  const chosen = largest.length < count && ofProxies.length > 0 ? ofProxies : largest;
  for (const [socket] of chosen.slice(0, Math.min(count, Math.ceil(chosen.length / 2)))) socket.destroy();
}

// In place of a client address.
const spare = 'spare';

/** Closes connections with bytes for `maxMs` but no request: line ends before one begin no deadline of node:http. */
export function limitLineEnds(server: Server, connections: Connections, maxMs = 15_000, checkMs = 5000): void {
  type Idle = { latest: ServerResponse | null; bytes: number; since?: number };
  const seen = new WeakMap<Socket, Idle>();
  const check = () => {
    for (const [socket, latest] of connections) {
      const idle = seen.get(socket);
      if (!isIdle(latest) || idle?.latest !== latest) seen.set(socket, { latest, bytes: socket.bytesRead });
      else if (idle.bytes !== socket.bytesRead) {
        idle.since ??= performance.now();
        if (performance.now() - idle.since > maxMs) socket.destroy();
      }
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

const isIdle = (latest: ServerResponse | null) => latest === null || latest.writableFinished;

// A response without a socket waits for the one before it.
const isWaiting = (latest: ServerResponse | null) =>
  latest === null || latest.writableEnded || !latest.req.complete || latest.socket === null;
