import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Event } from '#server/feed/event.ts';
import type { Sink } from '#server/feed/stream.ts';

const lingerMs = 2000;
const lastChunk = '0\r\n\r\n';

/**
 * Begins an answer that never ends and takes its connection away from node:http, so that an open stream costs what a socket costs: no
 * request, no answer, no parser. The request must have been read to its end.
 */
export function takeOver(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): Sink {
  const { socket, httpVersion } = request;
  const inChunks = httpVersion !== '1.0';
  response.detachSocket(socket);
  // To node:http the connection is over: it takes its parser back and forgets what it knew of it.
  socket.emit('close');
  for (const name of socket.eventNames()) socket.removeAllListeners(name);
  socket.on('error', ignore);
  socket.setTimeout(0);
  socket.on('end', destroy);
  // Whoever goes is noticed by reading only.
  socket.resume();
  socket.setNoDelay(true);
  socket.cork();
  process.nextTick(uncork, socket);
  socket.write(writeHead({ ...headers, ...(inChunks ? { 'Transfer-Encoding': 'chunked' } : {}) }));
  return new SocketSink(socket, inChunks);
}

function ignore(): void {}
function destroy(this: Socket): void {
  this.destroy();
}
function uncork(socket: Socket): void {
  socket.uncork();
}

function writeHead(headers: Record<string, string>): string {
  const all = { ...headers, Date: new Date().toUTCString(), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}

// HTTP/1.0, which proxies speak to us by default, knows no chunks: the end of the connection is the end.
class SocketSink implements Sink {
  private readonly socket: Socket;
  private readonly inChunks: boolean;

  constructor(socket: Socket, inChunks: boolean) {
    this.socket = socket;
    this.inChunks = inChunks;
  }

  write(event: Event): void {
    if (this.socket.writable) this.socket.write(this.inChunks ? event.chunk : event.plain);
  }

  waiting(): number {
    return this.socket.writableLength;
  }

  close(): void {
    const { socket } = this;
    if (!socket.writable) return;
    socket.end(this.inChunks ? lastChunk : '');
    // A reader that stands still would keep the connection, and what waits for it, for ever.
    socket.setTimeout(lingerMs, destroy);
  }

  drop(): void {
    this.socket.resetAndDestroy();
  }

  onClose(closed: () => void): void {
    this.socket.once('close', closed);
  }
}
