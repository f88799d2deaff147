import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { type Connections, requestEvents } from '#server/front/connections.ts';

/** What becomes of connections on which nothing runs when a server is drained: left to their clients, or ended at once. */
export type Idle = 'left' | 'ended';

/**
 * Empties a server: no new connection is taken; every running request is answered, and every further one on a connection that is
 * open, with `Connection: close`. Idle connections that are left end when their keep-alive time is over, which is when their
 * clients expect it; so no client's request meets a closing connection. Resolves when no connection is left, at the latest after
 * `longestMs`, when the rest is cut.
 */
export type Drain = (idle: Idle, longestMs: number) => Promise<void>;

/** How a server, whose connections these are, is drained at its end. */
export function prepareDrain(server: Server, connections: Connections): Drain {
  return async (idle, longestMs) => {
    const endAfterwards = (_: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    };
    for (const event of requestEvents) server.prependListener(event, endAfterwards);
    // http's own close() would end idle connections at once, and with them a request that is just on its way.
    NetServer.prototype.close.call(server);
    for (const [socket, response] of connections) announceEnd(socket, response, idle);
    if (idle === 'ended') endIdle(server, connections);
    const late = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, longestMs);
    await untilEmpty(server, connections);
    clearTimeout(late);
  };
}

// Another process may still hand a connection over.
function untilEmpty(server: Server, connections: Connections): Promise<void> | void {
  if (connections.size === 0) return;
  return new Promise((resolve) => {
    const look = () => {
      if (connections.size === 0) resolve();
    };
    for (const socket of connections.keys()) socket.once('close', look);
    server.on('connection', (socket: Socket) => socket.once('close', look));
  });
}

function announceEnd(socket: Socket, response: ServerResponse | null, idle: Idle): void {
  if (response === null || response.writableFinished) return;
  if (!response.headersSent) response.shouldKeepAlive = false;
  else if (idle === 'ended') response.once('close', () => socket.destroySoon());
}

function endIdle(server: Server, connections: Connections): void {
  server.closeIdleConnections();
  // To Node, a connection over which nothing came yet has a request under way; browsers keep such in store.
  for (const [socket, response] of connections) if (response === null && socket.bytesRead === 0) socket.destroySoon();
}
