import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { detachSocket, keepOpenFor } from '#platform/net/node-internals.ts';
import { isFromOwnPage } from '#server/accounts/sessions/cookie.ts';
import type { StreamEvent } from '#server/feed/announcement.ts';
import { answerFeed, answerStream, type FeedReply, type FeedRequest } from '#server/feed/answer.ts';
import { type Sink, startFeed } from '#server/feed/stream.ts';

/** Answers a poll on a node:http request, or on the WebSocket that it asks for. */
export async function answerFeedNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  startFeed();
  if (isFeedUpgrade(request)) return answerUpgrade(request, response);
  // Portals poll every 10 s. A new connection per poll would cost more than the answer.
  keepOpenFor(15_000, request, response);
  writeReply(response, await answerFeed(asFeedRequest(request)));
}

// A browser has one poll at a time. Beyond this, an account gets its answers over HTTP.
const maxSocketsPerAccount = 4;
const socketsOf = new Map<string, number>();

// What refuses a poll refuses the WebSocket too, over HTTP. Until then, the connection counts as any other.
async function answerUpgrade(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  await once(request, 'end');
  const reply = await answerFeed(asFeedRequest(request));
  const { status, account = '' } = reply;
  const open = socketsOf.get(account) ?? 0;
  if (status !== 200 || open >= maxSocketsPerAccount) return writeReply(response, reply);
  if (request.socket.destroyed) return;
  socketsOf.set(account, open + 1);
  const socket = detachSocket(request, response);
  socket.once('close', () => {
    const left = (socketsOf.get(account) ?? 1) - 1;
    if (left > 0) socketsOf.set(account, left);
    else socketsOf.delete(account);
  });
  sendMessage(socket, request, reply.body);
}

/** Answers a stream on a node:http request without a body. Its socket leaves node:http. */
export async function answerStreamNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  startFeed();
  request.resume();
  await once(request, 'end');
  const isChunked = request.httpVersion !== '1.0';
  const openSink = (headers: Record<string, string>) =>
    openSocketSink(detachSocket(request, response), isChunked, headers);
  const hasLeft = () => request.socket.destroyed || request.socket.readableEnded;
  const reply = await answerStream(asFeedRequest(request), openSink, hasLeft);
  if (reply !== 'streaming') writeReply(response, reply);
}

function writeReply(response: ServerResponse, { status, headers, body }: FeedReply): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function asFeedRequest({ url = '/', headers }: IncomingMessage): FeedRequest {
  const queryAt = url.indexOf('?');
  const lastEventId = headers['last-event-id'];
  return {
    search: queryAt === -1 ? '' : url.slice(queryAt),
    cookie: headers.cookie ?? null,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
  };
}

/** Writes the head of an endless response to a socket without node:http. */
export function openSocketSink(socket: Socket, isChunked: boolean, headers: Record<string, string>): Sink {
  socket.on('end', destroy);
  // Only a socket that is read reports that its peer has closed.
  socket.resume();
  socket.setNoDelay(true);
  socket.cork();
  process.nextTick(() => socket.uncork());
  socket.write(writeHead({ ...headers, ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : {}) }));
  return new SocketSink(socket, isChunked);
}

function destroy(this: Socket): void {
  this.destroy();
}

function writeHead(headers: Record<string, string>): string {
  const all = { ...headers, Date: new Date().toUTCString(), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}

// HTTP/1.0, which many proxies speak by default, has no chunks.
class SocketSink implements Sink {
  private readonly socket: Socket;
  private readonly isChunked: boolean;

  constructor(socket: Socket, isChunked: boolean) {
    this.socket = socket;
    this.isChunked = isChunked;
  }

  write(event: StreamEvent): void {
    if (this.socket.writable) this.socket.write(this.isChunked ? event.chunk : event.plain);
  }

  countPendingBytes(): number {
    return this.socket.writableLength;
  }

  close(): void {
    const { socket } = this;
    if (!socket.writable) return;
    socket.end(this.isChunked ? '0\r\n\r\n' : '');
    // A client that stops reading would keep the connection and its buffer for ever.
    socket.setTimeout(2000, destroy);
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  onClose(closed: () => void): void {
    this.socket.once('close', closed);
  }
}

// RFC 6455, section 1.3.
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const textByte = 0x81;

/** Whether a poll asks for its answer over a WebSocket, from a page of this service. */
export function isFeedUpgrade({ method, headers, httpVersion }: IncomingMessage): boolean {
  const { connection, upgrade, origin, host, 'sec-fetch-site': site, 'sec-websocket-version': version } = headers;
  if (!/\bupgrade\b/i.test(connection ?? '') || upgrade?.toLowerCase() !== 'websocket') return false;
  if (version !== '13' || !headers['sec-websocket-key']) return false;
  // Browsers always send Origin here. Nothing else keeps pages of other sites from using the cookie of a bell.
  const isOwn = origin !== undefined && isFromOwnPage({ origin, host, site: String(site ?? '') });
  return isOwn && method === 'GET' && httpVersion === '1.1';
}

/**
 * Answers with one text message over a WebSocket, on a socket that left node:http. Reads no frames: the first bytes are
 * the client's close. It ends after 2 s without a move, and after 10 s in any case.
 */
export function sendMessage(socket: Socket, { headers }: IncomingMessage, text: string): void {
  addAbortSignal(AbortSignal.timeout(10_000), socket);
  socket.setTimeout(2000, () => socket.destroy());
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${acceptSuffix}`).digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
  socket.write(encodeMessage(text));
  // Firefox loses a message when the close follows it at once, so the client closes first.
  socket.once('data', () => socket.end(Buffer.from([0x88, 0]))).once('end', () => socket.end());
}

function encodeMessage(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([textByte, length]), payload]);
  const isShort = length < 2 ** 16;
  const head = Buffer.alloc(isShort ? 4 : 10);
  head.set([textByte, isShort ? 126 : 127]);
  if (isShort) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
