import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerFeed, answerStream, type FeedReply, type FeedRequest } from '#server/feed/answer.ts';
import { openFeed } from '#server/feed/feed.ts';
import { takeOver } from '#server/feed/taken-over.ts';

// A portal that polls asks every 10 s: to connect anew would cost more than the answer.
const pollsKeptMs = 15_000;

/** The feed for the front: a poll, on a bare node:http request. */
export async function answerFeedNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  openFeed();
  // After node:http's own, shorter wait began.
  response.once('finish', () => request.socket.setTimeout(pollsKeptMs));
  writeReply(response, await answerFeed(asFeedRequest(request)));
}

/**
 * The stream for the front: bytes straight to the connection, which node:http has nothing to do with any more. The request has no body.
 */
export async function answerStreamNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
  openFeed();
  const asked = asFeedRequest(request);
  request.resume();
  await once(request, 'end');
  const begin = (headers: Record<string, string>) => takeOver(request, response, headers);
  const reply = await answerStream(asked, begin, () => request.socket.destroyed);
  if (reply !== 'streaming') writeReply(response, reply);
}

function writeReply(response: ServerResponse, { status, headers, body }: FeedReply): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function asFeedRequest({ url = '/', headers }: IncomingMessage): FeedRequest {
  const mark = url.indexOf('?');
  const lastEventId = headers['last-event-id'];
  return {
    search: mark === -1 ? '' : url.slice(mark),
    cookie: headers.cookie ?? null,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
  };
}
