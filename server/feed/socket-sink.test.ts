import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { encodeEvent } from '#server/feed/announcement.ts';
import { detachSocket, openSocketSink } from '#server/feed/node-listener.ts';
import type { Sink } from '#server/feed/stream.ts';

// `detachSocket` leans on what node:http does not document: that `response.detachSocket` and the
// socket's event `close` make it let the socket go. If this fails after an update of Node, streams
// end with the other connections of their server, without a last event.
test('node:http lets the socket of a stream go: closing all its connections leaves the stream open', async () => {
  const opened = Promise.withResolvers<{ sink: Sink; response: ServerResponse }>();
  const server = createServer(async (request, response) => {
    await once(request.resume(), 'end');
    const sink = openSocketSink(detachSocket(request, response), true, { 'Content-Type': 'text/plain' });
    opened.resolve({ sink, response });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  const { sink, response: detached } = await opened.promise;
  expect(detached.socket).toBeNull();
  server.close();
  server.closeAllConnections();
  sink.write(encodeEvent('data: one\n\n'));
  await expect.poll(() => text).toBe('data: one\n\n');
  expect(sink.countPendingBytes()).toBe(0);
  const ended = once(response, 'end');
  sink.close();
  await ended;
  expect(text).toBe('data: one\n\n');
});
