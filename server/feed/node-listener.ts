import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { decodeSessionCookie } from '#server/accounts/cookie.ts';
import { answerFeed, answerStream, type FeedReply, type FeedRequest } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/lifecycle.ts';
import { detachSocket, openSocketSink } from '#server/feed/socket-sink.ts';
import type { StreamRequest } from '#server/feed/stream-connection.ts';

// Portals poll every 10 s. A new connection per poll would cost more than the answer.
const pollKeepAliveMs = 15_000;

/** Answers a poll on a node:http request. */
export async function answerFeedNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  startFeed();
  // On `finish` node:http sets its own, shorter keep-alive; this runs after it.
  response.once('finish', () => request.socket.setTimeout(pollKeepAliveMs));
  writeReply(response, await answerFeed(asFeedRequest(request)));
}

/** Passes the connection of a stream request to another process. */
export type PassStream = (request: StreamRequest, connection: Socket) => void;

/**
 * The processes that hold streams beside this one. `find` returns how to pass a stream of an
 * account to one of them, or null when this process must hold the stream itself. `countPassing`
 * counts the connections that are on their way to one. `stop` ends all of them.
 */
export type StreamHolders = {
  find: (accountId: number) => Promise<PassStream | null>;
  countPassing: () => number;
  stop: () => Promise<void>;
};

/**
 * Answers a stream on a node:http request without a body. The socket leaves node:http. Another
 * process answers, when `holders` finds one.
 */
export async function answerStreamNode(
  request: IncomingMessage,
  response: ServerResponse,
  holders?: StreamHolders,
): Promise<void> {
  const feedRequest = asFeedRequest(request);
  const isChunked = request.httpVersion !== '1.0';
  request.resume();
  await once(request, 'end');
  const claims = holders ? await decodeSessionCookie(feedRequest.cookie) : null;
  const pass = claims && (await holders?.find(claims.accountId));
  if (request.socket.destroyed) return;
  if (pass) return pass({ ...feedRequest, isChunked }, detachSocket(request, response));
  startFeed();
  const openSink = (headers: Record<string, string>) =>
    openSocketSink(detachSocket(request, response), isChunked, headers);
  const reply = await answerStream(feedRequest, openSink, () => request.socket.destroyed);
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
