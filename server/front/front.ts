import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isFromOwnPage } from '#server/accounts/same-origin.ts';
import { refuseUnread } from '#server/api/handle.ts';
import { answerNode, breakBody, writeAnswer } from '#server/api/node-listener.ts';
import { lingerMs } from '#server/api/request.ts';
import { notifPath } from '#server/api/router.ts';
import { feedPath, streamPath } from '#server/feed/answer.ts';
import { answerFeedNode, answerStreamNode } from '#server/feed/node-listener.ts';
import { countStreams } from '#server/feed/stream.ts';
import { readFileLimit } from '#server/feed/stream-limit.ts';
import { type Connections, followConnections } from '#server/front/connections.ts';
import { type HealthAnswer, liveAnswer, livePath, readyAnswer, readyPath } from '#server/front/health.ts';
import { connectionLimit, keepRoom } from '#server/front/limit-connections.ts';
import { dataHeaders, transportHeaders } from '#server/http-headers.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';

/** What answers everything that is not the public interface. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The front: an HTTP server, its open connections, and how pages are added once they are ready. */
export type Front = { server: Server; connections: Connections; serve: (pages: Pages) => void };

const longestSilenceMs = 30_000;
const largestPageBodyBytes = 1024 * 1024;
const largestSignInBodyBytes = 16 * 1024;

const pageMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The server of a machine of one's own. It gives the public interface straight to its handler and everything
 * else to Next, and answers what Next gets wrong on that path: other methods, odd `Expect` and `Upgrade`
 * headers, headers that are too large. Nothing of the contract but those transport cases exists only here.
 */
export function createFront(): Front {
  let pages: Pages | undefined;
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 2000,
    // Node's own answer to a missing Host has no body and none of our headers.
    requireHostHeader: false,
    // Otherwise `curl --http2` and Java's client, which offer h2c in clear text, get a closed socket.
    shouldUpgradeCallback: () => false,
  });
  // Whoever takes nothing of an answer, and says nothing, is gone.
  server.timeout = longestSilenceMs;
  const connections = followConnections(server);
  keepRoom(server, connections, connectionLimit(readFileLimit()), countStreams);
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    route(request, response, pages).catch((error: unknown) => {
      response.destroy();
      log().error({ err: error }, 'a request could not be answered');
    });
  };
  server.on('request', listener);
  server.on('checkContinue', (request, response) => {
    response.writeContinue();
    listener(request, response);
  });
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseBytes(error, socket, connections.get(socket)),
  );
  return { server, connections, serve: (ready) => (pages = ready) };
}

async function route(request: IncomingMessage, response: ServerResponse, pages: Pages | undefined): Promise<void> {
  const url = asOriginForm(request.url ?? '/');
  request.url = url;
  const path = url.split('?', 1)[0] ?? '/';
  if (!isSound(request)) return refuseRequest(response);
  if (path === notifPath)
    return hasPlainBody(request) ? answerNode(request, response, addressOf(request)) : refuseRequest(response);
  // What is asked most often, and by everybody.
  if (pages && isRead(request) && path === feedPath) return answerFeedNode(request, response);
  if (isRead(request) && (path === livePath || path === readyPath))
    return answerHealth(request, response, path === livePath ? liveAnswer() : await readyAnswer(pages !== undefined));
  if (isStrayApiPath(path)) {
    const answer = refuseUnread('address_unknown', request.headers['accept-language'] ?? null);
    if (request.method === 'HEAD') answer.body = '';
    return writeAnswer(response, { ...answer, headers: { ...dataHeaders(), ...answer.headers } });
  }
  if (!pageMethods.has(request.method ?? '')) return refusePage(response, 405, { Allow: [...pageMethods].join(', ') });
  if (!pages) return refusePage(response, 503, { 'Retry-After': '2' }, 'Starting…\n');
  const isStream = request.method === 'GET' && path === streamPath;
  if (isStream && !announcesBody(request)) return answerStreamNode(request, response);
  if (isStream || !hasBoundedBody(request, path)) return refusePage(response, 413, { Connection: 'close' });
  if (!isRead(request) && !isFromOwnPage(senderOf(request))) return refusePage(response, 403, { Connection: 'close' });
  if (isFormOfNobody(request, path)) return refusePage(response, 405, { Allow: 'GET, HEAD' });
  for (const [name, value] of Object.entries(transportHeaders())) response.setHeader(name, value);
  if (meters()) response.once('finish', countPage);
  request.headers['x-forwarded-for'] = addressOf(request);
  // By these Next would ask itself under another name, or over TLS, for an action that the page at hand does not have.
  delete request.headers['x-forwarded-host'];
  delete request.headers['x-forwarded-proto'];
  return pages(request, response);
}

function countPage(this: ServerResponse): void {
  meters()?.count('pages', `${Math.floor(this.statusCode / 100)}xx`);
}

function answerHealth({ method }: IncomingMessage, response: ServerResponse, answer: HealthAnswer): void {
  response.writeHead(answer.status, { ...dataHeaders(), ...answer.headers }).end(method === 'HEAD' ? '' : answer.body);
}

function refusePage(response: ServerResponse, status: number, headers: Record<string, string>, text = ''): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...dataHeaders(), ...plain, ...headers }).end(text);
}

function senderOf({ headers }: IncomingMessage) {
  const site = headers['sec-fetch-site'];
  return { origin: headers.origin, site: typeof site === 'string' ? site : null, host: headers.host };
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

function refuseRequest(response: ServerResponse): void {
  const answer = refuseUnread('request_malformed');
  writeAnswer(response, { ...answer, headers: { ...answer.headers, Connection: 'close' } });
}

// Node takes the chunks off and would hand a compressed body over as it is.
function hasPlainBody({ headers }: IncomingMessage): boolean {
  return (headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked';
}

/** Whether a body for the pages says its length and is of a size they need; some readers of theirs know no limit. */
function hasBoundedBody({ headers }: IncomingMessage, path: string): boolean {
  if (headers['transfer-encoding'] !== undefined) return isPassedOn(headers);
  const largest = path.startsWith('/api/auth/') ? largestSignInBodyBytes : largestPageBodyBytes;
  return Number(headers['content-length'] ?? 0) <= largest;
}

// Next asks itself for an action that the page at hand does not have, in chunks; of these bodies it keeps 1 MB at most (next.config.ts).
const isPassedOn = (headers: IncomingMessage['headers']) =>
  headers['x-action-forwarded'] !== undefined &&
  headers['next-action'] !== undefined &&
  headers['content-type']?.startsWith('text/plain') === true;

/**
 * Whether a form came that no page sends: their actions name themselves in `Next-Action`. Next would look for the action in its
 * fields, and fail with 500 at a name that it does not know.
 */
function isFormOfNobody({ method, headers }: IncomingMessage, path: string): boolean {
  if (method !== 'POST' || path.startsWith('/api/') || headers['next-action'] !== undefined) return false;
  return /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(headers['content-type']?.trim() ?? '');
}

const announcesBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const knownApiPath = /^\/api\/(?:v1\/openapi\.json$|auth\/)/;

/** Whether a path is below /api, in whatever spelling, and yet none of ours: it gets JSON, never a redirect. */
function isStrayApiPath(path: string): boolean {
  if (path === '*') return true;
  const slashed = path.replace(/\\|%5c/gi, '/').replace(/\/{2,}/g, '/');
  const spelled = slashed.replace(/%[2-7][0-9a-f]/gi, (written) => decodeURIComponent(written));
  const normalised = URL.canParse(spelled, 'http://x') ? new URL(spelled, 'http://x').pathname : spelled;
  if (!/^\/api(?:\/|$)/i.test(normalised)) return path.startsWith('//');
  return normalised !== path || !knownApiPath.test(path);
}

// Node also reads requests that claim HTTP/0.9 or 2.0. RFC 9112 §3.2: exactly one Host, except before HTTP/1.1; Node
// would keep the first of two.
function isSound({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

// RFC 9112 §3.2.2: a server must accept the absolute form too.
function asOriginForm(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The client's address: the peer, or, when the peer is a proxy on this machine, the one that proxy noted last. */
function addressOf({ socket, headers }: IncomingMessage): string {
  const peer = socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown';
  const forwarded = headers['x-forwarded-for'];
  const noted = (typeof forwarded === 'string' ? forwarded : '').split(',').at(-1)?.trim();
  return (peer === '127.0.0.1' || peer === '::1') && noted ? noted : peer;
}

// Bytes that follow a request must not overtake the answer to it that is under way.
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, open: ServerResponse | null | undefined): void {
  if (open && !open.writableFinished && socket.writable) {
    // Broken in the middle of a body: whoever reads it should not wait for the rest.
    if (!open.req.complete) breakBody(open.req);
    return void open.once('finish', () => socket.destroySoon());
  }
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, headers, body } = refuseUnread('request_malformed');
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // Whoever goes on sending, and does not read that, would keep the connection.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
