import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections with their latest response; null before the first request. */
export type Connections = ReadonlyMap<Socket, ServerResponse | null>;

/** The events of an HTTP server that bring a request. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

/** Tracks the connections of a server from its start, until they close or leave node:http. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, ServerResponse | null>();
  function remove(this: Socket): void {
    open.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', remove);
  });
  const setLatest = ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (open.has(socket)) open.set(socket, response);
  };
  for (const event of requestEvents) server.prependListener(event, setLatest);
  return open;
}
