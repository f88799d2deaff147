import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  answerHalfClosed,
  closeAfter,
  countDetached,
  countTakenBytes,
  detachSocket,
  keepOpenFor,
  staysOpen,
  stopListening,
} from '#platform/net/node-internals.ts';

async function startServer(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const dial = (lines: string): Socket => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(lines);
    return socket;
  };
  return { server, port, dial };
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('a client that closes its side is answered with the property, and only with it', async () => {
  for (const isSet of [false, true]) {
    const { server, dial } = await startServer(async ({ socket }, response) => {
      await once(socket, 'end');
      await setImmediate();
      response.end('late');
    });
    if (isSet) answerHalfClosed(server);
    const socket = dial(request);
    socket.end();
    expect(await text(socket)).toMatch(isSet ? /late$/ : /^$/);
  }
});

test('a server that stops listening leaves an idle connection open, which gets one more answer', async () => {
  const { server, dial } = await startServer((_, response) => response.end('answer'));
  const socket = dial(request);
  await once(socket, 'data');
  stopListening(server);
  expect(server.listening).toBe(false);
  socket.write(request);
  expect(String(await once(socket, 'data'))).toContain('answer');
  socket.destroy();
});

test('a response tells whether its connection stays open, and can be told to close it', async () => {
  const known: boolean[] = [];
  const { dial } = await startServer((_, response) => {
    known.push(staysOpen(response));
    closeAfter(response);
    known.push(staysOpen(response));
    response.end();
  });
  expect(await text(dial(request))).toContain('Connection: close');
  dial(request.replace('x\r\n', 'x\r\nConnection: close\r\n'));
  await expect.poll(() => known).toEqual([true, false, false, false]);
});

test('a connection is kept for the longest of the times that its response sets', async () => {
  const { dial } = await startServer((incoming, response) => {
    keepOpenFor(75_000, incoming, response);
    keepOpenFor(15_000, incoming, response);
    response.once('finish', () => response.emit('kept', incoming.socket.timeout));
    response.once('kept', (ms) => incoming.socket.end(String(ms)));
    response.end();
  });
  expect(await text(dial(request))).toMatch(/75000$/);
});

test('the bytes that a client took of one large write are known before it took all', async () => {
  const opened = Promise.withResolvers<Socket>();
  const { dial } = await startServer(({ socket }, response) => {
    response.end(Buffer.alloc(32 * 1024 * 1024));
    opened.resolve(socket);
  });
  const client = dial(request).pause();
  const socket = await opened.promise;
  await expect.poll(() => countTakenBytes(socket)).toBeGreaterThan(0);
  const before = countTakenBytes(socket);
  const total = socket.bytesWritten;
  client.on('data', (part) => countTakenBytes(socket) > before + part.length && client.pause()).resume();
  await expect.poll(() => countTakenBytes(socket)).toBeGreaterThan(before);
  expect(countTakenBytes(socket)).toBeLessThan(total);
  expect(socket.writableLength, 'what Node documents does not shrink').toBeGreaterThan(total - before);
  client.destroy();
});

// If this fails after an update of Node, streams end with the other connections of their server, without a last event.
test('node:http lets a detached socket go: closing all its connections leaves it open', async () => {
  const opened = Promise.withResolvers<{ socket: Socket; response: ServerResponse }>();
  const { server, port } = await startServer(async (incoming, response) => {
    await once(incoming.resume(), 'end');
    opened.resolve({ socket: detachSocket(incoming, response), response });
  });
  const answered = once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  const { socket, response } = await opened.promise;
  expect([response.socket, countDetached()]).toEqual([null, 1]);
  server.close();
  server.closeAllConnections();
  socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\none');
  const [answer] = (await answered) as [IncomingMessage];
  socket.end(' two');
  expect(await text(answer)).toBe('one two');
  await expect.poll(countDetached).toBe(0);
});
