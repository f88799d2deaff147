import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { tellNext } from '#platform/config/next-internals.ts';
import { env } from '#platform/config/settings.ts';
import { logRepeats } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { chooseLanguage } from '#platform/net/choose-language.ts';
import { clientAddressOf, isForOtherHost, isFromProxy, noteUntrustedProxy } from '#platform/net/client-address.ts';
import { commonHeaders, dataHeaders, transportHeaders } from '#platform/net/http-headers.ts';
import { answerHalfClosed, countDetached } from '#platform/net/node-internals.ts';
import { isFromOwnPage } from '#server/accounts/sessions/cookie.ts';
import { handleNotif } from '#server/api/handle.ts';
import { notifPath } from '#server/api/procedure.ts';
import type { ReceivedKind } from '#server/api/received-kind.ts';
import { idleKeepAliveMs } from '#server/api/request.ts';
import { type NotifResponse, refuseUnhandled } from '#server/api/response.ts';
import { feedPath, streamPath } from '#server/feed/answer.ts';
import { readFileLimit } from '#server/feed/limits.ts';
import { answerFeedNode, answerStreamNode } from '#server/feed/node-listener.ts';
import { answerProbe, type Build, clientReportPath, isFromDoctor, reportClient } from '#server/front/client-report.ts';
import { connectionLimit, limitConnections, limitLineEnds, trackConnections } from '#server/front/connections.ts';
import { asHealthAnswer, liveAnswer, livePath, readyAnswer, readyPath, sayUnavailable } from '#server/front/health.ts';
import {
  asNotifRequest,
  endSilently,
  hasBody,
  keepConnection,
  refuseTruncated,
  requestDeadlines,
  writeResponse,
  writeResponseAndDrain,
} from '#server/front/node-http.ts';
import { type PageRefusal, refuseHead } from '#server/front/page-body.ts';
import type { AnswerPage } from '#server/front/page-queue.ts';
import { limitSlowReaders } from '#server/front/slow-readers.ts';
import { browserTexts } from '#server/service-texts.ts';

/** The pages of a build: `answer` takes every request that the front does not answer itself. */
export type Pages = { build: Build; answer: AnswerPage };

/** The front: an HTTP server and its open connections. `serve` adds the pages later. */
export type Front = ReturnType<typeof createFront>;

const pageMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Makes the HTTP server. It passes the public interface to `handleNotif` and pages to Next, and answers what Next would
 * answer wrongly: unknown methods, `Expect` and `Upgrade`, headers that are too large.
 */
export function createFront() {
  let pages: Pages | undefined;
  const server = answerHalfClosed(
    createServer({
      ...requestDeadlines,
      maxHeaderSize: 16 * 1024,
      // Node's own response to a missing Host has no body and not our headers.
      requireHostHeader: false,
      // Otherwise clients that offer h2c (`curl --http2`, Java) get a closed socket.
      shouldUpgradeCallback: () => false,
    }),
  );
  // Closes sockets on which nothing was read or written for 30 s.
  server.timeout = 30_000;
  const connections = trackConnections(server, (request, response) => {
    route(request, response, pages).catch((error: unknown) => {
      response.destroy();
      logRepeats('error', {}, { err: error }, 'a request could not be answered');
    });
  });
  limitConnections(server, connections, connectionLimit(readFileLimit()), countDetached);
  limitLineEnds(server, connections);
  const slowReaders = limitSlowReaders(server, connections);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseBytes(error, socket, connections.get(socket)),
  );
  const serve = (ready: Pages): void => {
    pages = ready;
  };
  return { server, connections, slowReaders, serve };
}

async function route(request: IncomingMessage, response: ServerResponse, pages: Pages | undefined): Promise<void> {
  const url = asOriginForm(request.url ?? '/');
  request.url = url;
  const path = url.split('?', 1)[0] ?? '/';
  // Its next request may be that of a known client.
  if (request.headers['x-forwarded-for'] !== undefined && isFromProxy(request.socket))
    keepConnection(request, response);
  const problem = findHeadProblem(request);
  if (problem) return refuseRequest(request, response, problem);
  if (path === notifPath) {
    if (!hasPlainBody(request)) return refuseRequest(request, response, 'body_length');
    const answer = await handleNotif(asNotifRequest(request, addressOf(request)));
    if (answer.status !== 401) keepConnection(request, response);
    return writeResponseAndDrain(request, response, answer);
  }
  // Portals poll here, so it comes before the other checks.
  if (pages && isRead(request) && path === feedPath) return answerFeedNode(request, response);
  if (isRead(request) && (path === livePath || path === readyPath))
    return answerData(request, response, path === livePath ? liveAnswer() : await readyAnswer(pages !== undefined));
  if (isRead(request) && path === clientReportPath && isFromDoctor(request))
    return answerData(request, response, asHealthAnswer(200, await reportClient(request, pages?.build ?? null)));
  if (isUnknownApiPath(path)) {
    const answer = refuseUnhandled('address_unknown', request.headers['accept-language'] ?? null);
    return answerData(request, response, answer);
  }
  if (!isDecodable(path) || url.includes('%00'))
    return refusePage(response, 400, hasBody(request) ? { Connection: 'close' } : {});
  // Next repeats the address in the page, at a cost that grows with it.
  if (url.length > 4096) return refusePage(response, 414, { Connection: 'close' });
  if (!pageMethods.has(request.method ?? '')) return refusePage(response, 405, { Allow: [...pageMethods].join(', ') });
  if (!pages) return refusePage(response, 503, { 'Retry-After': '2' }, 'Starting…\n');
  if (hasBody(request))
    refuseTruncated(request, response, (status) => refusePage(response, status, { Connection: 'close' }));
  const isStream = request.method === 'GET' && path === streamPath;
  if (isStream && isFromDoctor(request)) return answerProbe(response);
  if (isStream && !hasBody(request)) return answerStreamNode(request, response);
  if (isForOtherHost(request.headers.host, isFromProxy(request.socket)))
    return refusePage(response, 421, { Connection: 'close' }, `${env().APP_URL}\n`);
  const refusal = refuseStranger(request, path) ?? refuseHead(request, path);
  if (refusal) return refusePage(response, refusal.status, refusal.headers, forPrograms());
  // Next's redirects to another spelling of an address have no headers of ours.
  for (const [name, value] of Object.entries({ ...commonHeaders, ...transportHeaders() }))
    response.setHeader(name, value);
  if (metrics()) response.once('finish', () => metrics()?.count('pages', `${Math.floor(response.statusCode / 100)}xx`));
  tellNext(request.headers, addressOf(request), env().APP_URL);
  sayUnavailable(request, response);
  return pages.answer(request, response);
}

function answerData({ method }: IncomingMessage, response: ServerResponse, answer: NotifResponse): void {
  response.writeHead(answer.status, { ...dataHeaders(), ...answer.headers }).end(method === 'HEAD' ? '' : answer.body);
}

function refusePage(response: ServerResponse, status: number, headers: Record<string, string>, text = ''): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...dataHeaders(), ...plain, ...headers }).end(text);
}

// A provider that signs a person out is no page of ours; its token is the proof.
const logoutPath = /^\/api\/auth\/logout\/[^/]+$/;

function refuseStranger(request: IncomingMessage, path: string): PageRefusal | null {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (isRead(request) || (logoutPath.test(path) && !origin)) return null;
  if (isFromOwnPage({ origin, host, site: String(site ?? '') })) return null;
  return { status: 403, headers: { Connection: 'close' } };
}

const forPrograms = () => `The interface for programs is at ${env().APP_URL}${notifPath}\n`;

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

function refuseRequest({ headers }: IncomingMessage, response: ServerResponse, problem: ReceivedKind): void {
  const answer = refuseUnhandled('request_malformed', headers['accept-language'] ?? null, problem);
  writeResponse(response, { ...answer, headers: { ...answer.headers, Connection: 'close' } });
}

// Node decodes chunks only. It would pass on a compressed body as it is.
const hasPlainBody = ({ headers }: IncomingMessage): boolean =>
  (headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked';

// Next answers 500 to an address that is not valid percent-encoded UTF-8, PostgreSQL fails on NUL.
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const knownApiPath = /^\/api\/(?:v1\/(?:openapi(?:-3\.0)?|postman)\.json$|auth\/)/;

// Where programs look for the interface: below /api, below a version, and at names of scripts.
const guessedPath = /^\/(?:(?:api|v\d+)(?:\/|$)|(?:[^/]+\/)?(?:notif|[^/]+\.php)\/?$)/i;

// Whether a path is a guess, in any spelling, and no address of ours. It gets 404 in JSON.
function isUnknownApiPath(path: string): boolean {
  if (path === '*') return true;
  const slashed = path.replace(/\\|%5c/gi, '/').replace(/\/{2,}/g, '/');
  const spelled = slashed.replace(/%[2-7][0-9a-f]/gi, (encoded) => decodeURIComponent(encoded));
  const normalised = URL.canParse(spelled, 'http://x') ? new URL(spelled, 'http://x').pathname : spelled;
  if (!guessedPath.test(normalised)) return path.startsWith('//');
  return normalised !== path || !knownApiPath.test(path);
}

// Node accepts versions 0.9 and 2.0, and two Host headers. RFC 9112 §3.2 demands one, except before HTTP/1.1.
function findHeadProblem({ httpVersion, headersDistinct }: IncomingMessage): ReceivedKind | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'first_line';
  const hosts = headersDistinct.host?.length ?? 0;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? null : 'host';
}

// RFC 9112 §3.2.2: a server must also accept the absolute form.
function asOriginForm(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function addressOf(request: IncomingMessage): string {
  noteUntrustedProxy(request);
  return clientAddressOf(request);
}

const parserProblems: [RegExp, ReceivedKind][] = [
  [/HEADER_OVERFLOW/, 'large_headers'],
  [/INVALID_(?:METHOD|URL|VERSION|CONSTANT)|PAUSED_H2/, 'first_line'],
  [/LENGTH|TRANSFER_ENCODING|CHUNK/, 'body_length'],
  [/HEADER_TOKEN|_EXPECTED/, 'header_line'],
];

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

// Answers bytes that are not HTTP, after the running response (`latest`) of the connection.
function refuseBytes(error: ParserError, socket: Socket, latest: ServerResponse | null | undefined): void {
  if (endSilently(error, socket, latest)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = parserProblems.find(([codes]) => codes.test(error.code ?? ''))?.[1];
  const page = problem === 'large_headers' && error.rawPacket ? explainLargeHeaders(error.rawPacket) : null;
  const { status, headers, body } = page ?? refuseUnhandled('request_malformed', null, problem);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // A client that keeps sending and does not read would hold the connection open.
  setTimeout(() => socket.destroy(), idleKeepAliveMs).unref();
}

// Answers a browser whose headers are too large, as a rule because of its cookies: a page in the person's language.
// `received`: the bytes that Node gave up at. Null for a program, or where they do not begin with the request.
function explainLargeHeaders(received: Buffer): NotifResponse | null {
  const head = received.toString('latin1');
  const headerOf = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1] ?? null;
  if (!/^(?:GET|HEAD|POST) /.test(head) || !headerOf('accept')?.includes('text/html')) return null;
  const chosen = /(?:^|[; -])language=(\w+)/.exec(headerOf('cookie') ?? '')?.[1];
  const language = chooseLanguage([chosen], headerOf('accept-language'), 'person');
  const { heading, text } = browserTexts[language].largeHeaders;
  const body = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${heading}</title>
<h1>${heading}</h1>
<p>${text}</p>
</html>
`;
  const headers = {
    ...dataHeaders(),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status: 431, headers, body };
}
