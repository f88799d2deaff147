import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A server's open connections, each with the newest answer on it, under way or done; null before its first request. */
export type Connections = ReadonlyMap<Socket, ServerResponse | null>;

/** The events by which a server hands out requests. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

/** Follows a server's connections from its beginning. One whose stream was taken away from the server is not among them any more. */
export function followConnections(server: Server): Connections {
  const open = new Map<Socket, ServerResponse | null>();
  function forget(this: Socket): void {
    open.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', forget);
  });
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (open.has(socket)) open.set(socket, response);
  };
  for (const event of requestEvents) server.prependListener(event, note);
  return open;
}
