import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** What becomes of connections on which nothing runs when a server is drained: left to their clients, or ended at once. */
export type Idle = 'left' | 'ended';

/**
 * Empties a server: no new connection is taken; every running request is answered, and every further one on a connection that is
 * open, with `Connection: close`. Idle connections that are left end when their keep-alive time is over, which is when their
 * clients expect it; so no client's request meets a closing connection. Resolves when no connection is left, at the latest after
 * `longestMs`, when the rest is cut.
 */
export type Drain = (idle: Idle, longestMs: number) => Promise<void>;

type Latest = Map<Socket, ServerResponse | null>;

/** Follows a server's connections from its beginning, so that it can be drained at its end. */
export function prepareDrain(server: Server): Drain {
  const latest: Latest = new Map();
  let draining = false;
  let onEmpty = () => {};
  server.on('connection', (socket: Socket) => {
    latest.set(socket, null);
    socket.once('close', () => {
      latest.delete(socket);
      if (latest.size === 0) onEmpty();
    });
  });
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    latest.set(socket, response);
    if (draining) response.shouldKeepAlive = false;
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.prependListener(event, note);
  return async (idle, longestMs) => {
    draining = true;
    // http's own close() would end idle connections at once, and with them a request that is just on its way.
    NetServer.prototype.close.call(server);
    for (const [socket, response] of latest) announceEnd(socket, response, idle);
    if (idle === 'ended') endIdle(server, latest);
    if (latest.size === 0) return;
    const late = setTimeout(() => {
      for (const socket of latest.keys()) socket.destroy();
    }, longestMs);
    await new Promise<void>((resolve) => {
      onEmpty = resolve;
    });
    clearTimeout(late);
  };
}

function announceEnd(socket: Socket, response: ServerResponse | null, idle: Idle): void {
  if (response === null || response.writableFinished) return;
  if (!response.headersSent) response.shouldKeepAlive = false;
  else if (idle === 'ended') response.once('close', () => socket.destroySoon());
}

function endIdle(server: Server, latest: Latest): void {
  server.closeIdleConnections();
  // To Node, a connection over which nothing came yet has a request under way; browsers keep such in store.
  for (const [socket, response] of latest) if (response === null && socket.bytesRead === 0) socket.destroySoon();
}
