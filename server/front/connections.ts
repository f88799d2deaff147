import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '#platform/config/ip-address.ts';
import { clientAddressOf, isFromProxy } from '#platform/net/client-address.ts';
import { closeAfter, stopListening } from '#platform/net/node-internals.ts';

/** The open connections with their latest response; null before the first request. */
export type Connections = ReadonlyMap<Socket, ServerResponse | null>;

/** The events of an HTTP server that bring a request. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

// Node reads all requests of a packet at once.
const maxPipelined = 32;

/**
 * Tracks the connections of a server, until they close or leave node:http. `answer` gets the requests of a connection
 * one by one: a pipelined one waits for the response before it. More than 32 unanswered ones close the connection.
 */
export function trackConnections(server: Server, answer: RequestListener): Connections {
  const open = new Map<Socket, ServerResponse | null>();
  const unanswered = new WeakMap<Socket, number>();
  function remove(this: Socket): void {
    open.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', remove);
  });
  const receive =
    (begin: (response: ServerResponse) => void) => (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      const earlier = open.get(socket);
      if (open.has(socket)) open.set(socket, response);
      const start = () => {
        if (socket.destroyed) return;
        begin(response);
        answer(request, response);
      };
      if (!earlier || earlier.writableFinished) return start();
      const count = (unanswered.get(socket) ?? 0) + 1;
      unanswered.set(socket, count);
      if (count > maxPipelined) return void socket.destroy();
      earlier.once('close', () => {
        unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
        start();
      });
    };
  for (const event of requestEvents)
    server.on(event, receive(event === 'checkContinue' ? (response) => response.writeContinue() : () => {}));
  return open;
}

/** Idle connections of a server that drains: left to their clients, or closed at once. */
export type Idle = 'left' | 'ended';

/**
 * Drains a server. It accepts no new connection, and answers further requests on open ones with `Connection: close`.
 * Resolves when no connection is open; after `timeoutMs` the remaining ones are closed.
 */
export async function drain(server: Server, connections: Connections, idle: Idle, timeoutMs: number): Promise<void> {
  const closeAfterwards = (_: IncomingMessage, response: ServerResponse) => closeAfter(response);
  for (const event of requestEvents) server.prependListener(event, closeAfterwards);
  stopListening(server);
  for (const [socket, response] of connections) announceClose(socket, response, idle);
  if (idle === 'ended') server.closeIdleConnections();
  const timer = setTimeout(() => {
    for (const socket of connections.keys()) socket.destroy();
  }, timeoutMs);
  // A connection that ends with an error closes later, and others may still have been accepted.
  while (connections.size > 0) await Promise.allSettled([...connections.keys()].map((socket) => once(socket, 'close')));
  clearTimeout(timer);
}

function announceClose(socket: Socket, response: ServerResponse | null, idle: Idle): void {
  // Browsers open connections in advance. For Node these have a running request.
  if (response === null && socket.bytesRead === 0 && idle === 'ended') return void socket.destroySoon();
  if (response === null || response.writableFinished) return;
  if (!response.headersSent) closeAfter(response);
  else if (idle === 'ended') response.once('close', () => socket.destroySoon());
}

/** How many connections a process with `files` file descriptors may hold. A tenth, at least 80, stays free. */
export function connectionLimit(files: number): number {
  if (!Number.isFinite(files)) return files;
  return Math.max(1, files - Math.max(80, Math.ceil(files * 0.1)));
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
    if (connections.size + countOthers() > limit) closeWaiting(connections, Math.ceil(limit * 0.01));
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
