import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections with their latest response; null before the first request. */
export type Connections = ReadonlyMap<Socket, ServerResponse | null>;

/** The events of an HTTP server that bring a request. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

// Node reads all requests of a packet at once.
const maxPipelined = 32;

/**
 * Tracks the connections of a server from its start, until they close or leave node:http. `answer`
 * gets the requests of a connection one by one: a pipelined request waits until the response before
 * it is written. A connection with more than 32 unanswered requests is closed.
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
