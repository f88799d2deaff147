import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerFeed, answerStream, type FeedReply, type FeedRequest } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/lifecycle.ts';
import { detachSocket, openSocketSink } from '#server/feed/socket-sink.ts';

// Portals poll every 10 s. A new connection per poll would cost more than the answer.
const pollKeepAliveMs = 15_000;

/** Answers a poll on a node:http request. */
export async function answerFeedNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  startFeed();
  // On `finish` node:http sets its own, shorter keep-alive; this runs after it.
  response.once('finish', () => request.socket.setTimeout(pollKeepAliveMs));
  writeReply(response, await answerFeed(asFeedRequest(request)));
}

/**
 * Answers a stream on a node:http request without a body. The socket of an open stream leaves
 * node:http.
 */
export async function answerStreamNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  startFeed();
  request.resume();
  await once(request, 'end');
  const isChunked = request.httpVersion !== '1.0';
  const openSink = (headers: Record<string, string>) =>
    openSocketSink(detachSocket(request, response), isChunked, headers);
  const reply = await answerStream(asFeedRequest(request), openSink, () => request.socket.destroyed);
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
