import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { keepOpenFor, staysOpen } from '#platform/net/node-internals.ts';
import {
  bodyDeadlineMs,
  idleKeepAliveMs,
  maxBodyBytes,
  maxShortBodyBytes,
  type NotifRequest,
  type ReceivedBody,
} from '#server/api/request.ts';
import type { NotifResponse } from '#server/api/response.ts';

/** A request of node:http for `handleNotif`. `address` is the client's IP address. */
export function asNotifRequest(request: IncomingMessage, address: string): NotifRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    search: mark === -1 ? '' : (url.slice(mark).split('#')[0] ?? ''),
    address,
    header: (name) => readHeader(request, name),
    hasShortBody: () => hasShortBody(request),
    readBody: () => readBody(request),
  };
}

// Longer than proxies and clients keep a connection that they do not use: most 60 s.
const keptMs = 75_000;

/**
 * Keeps the connection of a known client open for 75 s after this response, and says so. That of a
 * stranger stays open for Node's 5 s. Node closes a second later, for requests that are on their way.
 */
export function keepConnection(request: IncomingMessage, response: ServerResponse): void {
  if (!staysOpen(response)) return;
  response.setHeader('Keep-Alive', `timeout=${keptMs / 1000}`);
  keepOpenFor(keptMs + 1000, request, response);
}

/** Writes a response whose request has no body, or has a body that was read. */
export function writeResponse(response: ServerResponse, { status, headers, body }: NotifResponse): void {
  response.writeHead(status, headers).end(body);
}

/** Writes a response. Drops the rest of the body for up to 2 s before it closes, which could take the response away. */
export async function writeResponseAndDrain(request: IncomingMessage, response: ServerResponse, answer: NotifResponse) {
  if (request.complete || !hasBody(request)) return writeResponse(response, answer);
  response.writeHead(answer.status, { ...answer.headers, Connection: 'close' });
  response.write(answer.body);
  request.on('data', (chunk: Buffer) => setImmediate(freeMemory, chunk)).resume();
  await finished(request, { signal: AbortSignal.timeout(idleKeepAliveMs) }).catch(() => {});
  response.end();
}

// Uncollected chunks of 20 MB bodies would take 80 MB.
function freeMemory({ buffer, byteLength }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

// Node keeps only the first of a repeated Authorization or Content-Type; another reader could keep
// the last. A proxy may repeat an equal Authorization, which changes nothing.
function readHeader(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  if (values === undefined) return null;
  return (name === 'authorization' ? [...new Set(values)] : values).join(', ');
}

// Why a body will never be complete.
type Truncation = 'late' | 'malformed';

const truncated = new WeakMap<IncomingMessage, Truncation>();

// A body that came in one packet with its head is here after this turn of the parser.
async function hasShortBody(request: IncomingMessage): Promise<boolean> {
  await undefined;
  return isHere(request) && request.readableLength <= maxShortBodyBytes;
}

// `complete` would become true one turn of the event loop later.
const isHere = ({ headers, readableLength }: IncomingMessage) =>
  readableLength > 0 && readableLength === Number(headers['content-length']);

function readBody(request: IncomingMessage): Promise<ReceivedBody> {
  if (isHere(request) && request.readableLength <= maxBodyBytes) return Promise.resolve(request.read());
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: ReceivedBody) => {
      clearTimeout(timer);
      request.pause();
      request.removeAllListeners('data');
      resolve(result);
    };
    const timer = setTimeout(() => finish('incomplete'), bodyDeadlineMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) finish('too-large');
      else chunks.push(chunk);
    });
    request.once('end', () => finish(Buffer.concat(chunks)));
    for (const event of ['error', 'truncated']) request.once(event, () => finish('incomplete'));
    if (truncated.has(request)) finish('incomplete');
  });
}

/** The longest wait for a whole head, and for a whole request with its body, from the first byte. */
export const requestDeadlines = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2000 };

// The code of Node's error for a head or a body that took too long.
const isLate = ({ code }: NodeJS.ErrnoException) => code === 'ERR_HTTP_REQUEST_TIMEOUT';

/** Handles malformed or slow bytes after the response `latest`. Returns false if the caller must answer. */
export function endSilently(error: NodeJS.ErrnoException, socket: Socket, latest: ServerResponse | null | undefined) {
  if (!latest) {
    if (!isLate(error) || socket.bytesRead > 0) return false;
    // Browsers open connections in advance, and would take a response for that to their next request.
    socket.destroy();
    return true;
  }
  if (latest.writableFinished) {
    // The request was answered before its body was complete.
    if (!latest.req.complete) socket.destroy();
    return !latest.req.complete;
  }
  if (!socket.writable) return false;
  latest.once('finish', () => socket.destroySoon());
  if (latest.req.complete) return true;
  // Reading the body of the request ends as `incomplete`.
  const reason = isLate(error) ? 'late' : 'malformed';
  truncated.set(latest.req, reason);
  latest.req.emit('truncated', reason);
  return true;
}

/** Ends a page request whose body will never be complete. `refuse` writes the response, unless one has begun. */
export function refuseTruncated(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (status: 400 | 408) => void,
): void {
  const end = (reason: Truncation) => {
    if (response.headersSent) return void request.socket.destroy();
    refuse(reason === 'late' ? 408 : 400);
    // A client that does not read the response would hold the connection open.
    setTimeout(() => request.socket.destroy(), idleKeepAliveMs).unref();
  };
  const reason = truncated.get(request);
  if (reason) end(reason);
  else request.once('truncated', end);
}
