import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { trackConnections } from '#server/front/connections.ts';
import { limitSlowReaders, type SlowReaderLimit } from '#server/front/slow-readers.ts';

const MB = 1024 * 1024;
// More than the buffers of two sockets and one write of the system hold.
const large = Buffer.alloc(32 * MB);
const pace = { graceMs: 500, bytesPerSecond: MB / 4, checkMs: 100, maxBytes: 100 * MB };
let end = () => {};

afterEach(() => end());

async function startServer(answer: (limit: SlowReaderLimit) => RequestListener, limits = pace) {
  const server = createServer();
  const listener: RequestListener = (request, response) => answer(limit)(request, response);
  const connections = trackConnections(server, listener);
  const limit = limitSlowReaders(server, connections, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { connections, port: (server.address() as AddressInfo).port };
}

/** Opens a connection that reads nothing, and sends the same request `times` times. */
function ask(port: number, path = '/', times = 1, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
  return socket;
}

/** Reads until the connection ends or `enough` bytes came, with pauses. Returns their number. */
async function read(socket: Socket, enough = Number.POSITIVE_INFINITY, pauseMs = 0): Promise<number> {
  let [total, parts] = [0, 0];
  for await (const part of socket as AsyncIterable<Buffer>) {
    total += part.length;
    if (pauseMs > 0 && ++parts % 16 === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (total >= enough) break;
  }
  return total;
}

test('a client that reads a few bytes now and then is closed, one that reads steadily gets everything', async () => {
  const { port, connections } = await startServer(() => async ({ url }, response) => {
    if (url !== '/late') return void response.end(large);
    response.write('begin');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    response.end('end');
  });
  const slow = ask(port);
  const timer = setInterval(() => slow.read(1), 50);
  await expect.poll(() => connections.size).toBe(1);
  await expect.poll(() => connections.size).toBe(0);
  clearInterval(timer);
  expect(await read(ask(port), large.length, 40)).toBeGreaterThanOrEqual(large.length);
  expect(await read(ask(port, '/late'), 'beginend'.length)).toBeGreaterThan('beginend'.length);
});

test('a pipelined request waits for the response before it, and 33 of them are too many', async () => {
  let answered = 0;
  // A busy machine may stop for a second: that is no slow reader.
  const limits = { ...pace, graceMs: 3000 };
  const answer = (): RequestListener => (_, response) => {
    answered++;
    response.end(large);
  };
  const { port, connections } = await startServer(answer, limits);
  const socket = ask(port, '/', 8);
  await expect.poll(() => answered).toBe(1);
  expect(await read(ask(port, '/', 8), 8 * large.length)).toBeGreaterThan(8 * large.length);
  expect(answered).toBeGreaterThanOrEqual(9);
  const before = answered;
  await read(ask(port, '/', 40), 40 * large.length);
  expect(answered - before, 'also for who reads them').toBeLessThanOrEqual(1);
  await expect.poll(() => connections.size).toBe(0);
  expect(socket.bytesRead).toBeLessThan(large.length);
});

test('above the limit of one address its further responses wait; others are not delayed', async () => {
  const limits = { ...pace, graceMs: 60_000, checkMs: 300, maxBytes: 4 * MB };
  const answer =
    (limit: SlowReaderLimit): RequestListener =>
    async (request, response) => {
      await limit.waitForRoom(request.socket.remoteAddress ?? '');
      response.end(large);
    };
  const { port, connections } = await startServer(answer, limits);
  const written = () =>
    [...connections.keys()].filter(({ remoteAddress, bytesWritten }) => remoteAddress === '127.0.0.50' && bytesWritten);
  const flood = Array.from({ length: 40 }, () => ask(port, '/', 1, '127.0.0.50'));
  // By the event: beside a busy machine all of them may be over before a poll looks.
  await Promise.all(flood.map((socket) => once(socket, 'connect')));
  const started = performance.now();
  expect(await read(ask(port), large.length)).toBeGreaterThanOrEqual(large.length);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(written().length).toBeLessThan(3);
  // The slow readers above the limit are closed, so the others get their turn.
  await expect.poll(() => connections.size).toBeLessThan(38);
  for (const socket of flood) socket.destroy();
});

test('a check of 20,000 addresses that read nothing looks at each a few times', async () => {
  const server = createServer();
  limitSlowReaders(server, new Map(), { ...pace, graceMs: 60_000, checkMs: 20 });
  const count = 20_000;
  let looks = 0;
  for (let index = 0; index < count; index++) {
    const socket = {
      remoteAddress: '127.0.0.1',
      writableLength: 1,
      get bytesWritten() {
        looks++;
        return 1;
      },
    };
    const headers = { 'x-forwarded-for': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` };
    server.emit('request', { socket, headers } as never, {} as never);
  }
  server.emit('listening');
  while (looks === 0) await setImmediate();
  server.emit('close');
  expect(looks).toBeGreaterThanOrEqual(count);
  expect(looks).toBeLessThanOrEqual(10 * count);
});
