// All uses of undocumented behaviour of Node. Each has a test in node-internals.test.ts that fails when it changes.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Lets a server answer clients that close their side after their request, whose response node:http would drop. */
export const answerHalfClosed = (server: Server): Server => Object.assign(server, { httpAllowHalfOpen: true });

/** Stops a server from listening. Its own `close()` would close idle connections at once, with a request on its way. */
export const stopListening = (server: Server): Server => NetServer.prototype.close.call(server) as Server;

export const staysOpen = ({ shouldKeepAlive }: ServerResponse): boolean => shouldKeepAlive;

/** Closes the connection of a response after it, and says so in its head, which is not written yet. */
export function closeAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** Keeps the connection of a request open for at least `ms` after its response. */
export function keepOpenFor(ms: number, { socket }: IncomingMessage, response: ServerResponse): void {
  // On `finish` node:http sets its own, shorter time; this runs after it.
  response.once('finish', () => socket.setTimeout(Math.max(socket.timeout ?? 0, ms)));
}

type WithHandle = { _handle?: { bytesWritten: number; writeQueueSize: number } | null };

/** How many bytes of a socket the system has taken. `writableLength` does not shrink before a whole write was taken. */
export function countTakenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as WithHandle;
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}

let detached = 0;

/** How many open sockets have left node:http (`detachSocket`): streams, and polls over a WebSocket. */
export const countDetached = (): number => detached;

/** Takes the socket away from node:http once its request was read: a stream costs no request, response or parser. */
export function detachSocket({ socket }: IncomingMessage, response: ServerResponse): Socket {
  response.detachSocket(socket);
  // node:http takes this for the end of the connection and releases its parser. Nobody reads the stack of
  // the error that it makes, which would cost more than all else here.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  socket.emit('close');
  Error.stackTraceLimit = stackTraceLimit;
  for (const name of socket.eventNames()) socket.removeAllListeners(name);
  socket.on('error', () => {});
  socket.setTimeout(0);
  if (!socket.closed) detached += 1;
  socket.once('close', () => (detached -= 1));
  return socket;
}
