import type { Socket } from 'node:net';
import { answerStream, type FeedRequest, refuseFull } from '#server/feed/answer.ts';
import { startFeed } from '#server/feed/lifecycle.ts';
import { openSocketSink, writeLastReply } from '#server/feed/socket-sink.ts';
import { countStreams } from '#server/feed/stream.ts';
import { maxStreams } from '#server/feed/stream-limit.ts';

/**
 * A stream request that another process read. It is sent as JSON, with the connection beside it. A
 * client of HTTP/1.0 gets no chunks.
 */
export type StreamRequest = FeedRequest & { isChunked: boolean };

// Connections whose session is looked up. They need files too.
let answering = 0;

/** Answers a stream request on a connection that has left node:http: opens the stream or refuses. */
export async function answerStreamConnection(request: StreamRequest, socket: Socket): Promise<void> {
  startFeed();
  socket.on('error', () => {});
  if (countStreams() + answering >= maxStreams()) return writeLastReply(socket, refuseFull());
  answering += 1;
  const openSink = (headers: Record<string, string>) => openSocketSink(socket, request.isChunked, headers);
  const reply = await answerStream(request, openSink, () => socket.destroyed).finally(() => (answering -= 1));
  if (reply !== 'streaming') writeLastReply(socket, reply);
}
