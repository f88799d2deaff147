import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfter, stopListening } from '#platform/net/node-internals.ts';

/** The open connections with their latest response; null before the first request. */
export type Connections = ReadonlyMap<Socket, ServerResponse | null>;

/** The events of an HTTP server that bring a request. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

// Node reads all requests of a packet at once.
const maxPipelined = 32;

/**
 * Tracks the connections of a server, until they close or leave node:http. `answer` gets the requests of one by one: a
 * pipelined request waits until the response before it is written. One with more than 32 unanswered requests is closed.
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
 * Drains a server. It accepts no new connection. It answers running requests, and further ones on
 * open connections, with `Connection: close`. Idle connections that are left have `timeoutMs` for one
 * more request. Resolves when no connection is open. After `timeoutMs` the remaining ones are closed.
 */
export async function drain(server: Server, connections: Connections, idle: Idle, timeoutMs: number): Promise<void> {
  const closeAfterwards = (_: IncomingMessage, response: ServerResponse) => closeAfter(response);
  for (const event of requestEvents) server.prependListener(event, closeAfterwards);
  stopListening(server);
  for (const [socket, response] of connections) announceClose(socket, response, idle);
  if (idle === 'ended') closeIdle(server, connections);
  const timer = setTimeout(() => {
    for (const socket of connections.keys()) socket.destroy();
  }, timeoutMs);
  await waitUntilEmpty(connections);
  clearTimeout(timer);
}

// A connection that ends with an error closes later, and others may still have been accepted.
async function waitUntilEmpty(connections: Connections): Promise<void> {
  while (connections.size > 0) await Promise.allSettled([...connections.keys()].map((socket) => once(socket, 'close')));
}

function announceClose(socket: Socket, response: ServerResponse | null, idle: Idle): void {
  if (response === null || response.writableFinished) return;
  if (!response.headersSent) closeAfter(response);
  else if (idle === 'ended') response.once('close', () => socket.destroySoon());
}

function closeIdle(server: Server, connections: Connections): void {
  server.closeIdleConnections();
  // Browsers open connections in advance. For Node these have a running request.
  for (const [socket, response] of connections) if (response === null && socket.bytesRead === 0) socket.destroySoon();
}
