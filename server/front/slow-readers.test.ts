import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { trackConnections } from '#server/front/connections.ts';
import { limitSlowReaders } from '#server/front/slow-readers.ts';

// More than the buffers of two sockets hold.
const large = Buffer.alloc(32 * 1024 * 1024);
const pace = { graceMs: 500, bytesPerSecond: 32 * 1024 * 1024, checkMs: 100 };

async function startServer() {
  const server = createServer(async ({ url }, response) => {
    if (url !== '/late') return void response.end(large);
    response.write('begin');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    response.end('end');
  });
  limitSlowReaders(server, trackConnections(server), pace);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Reads a response, `bytes` every 50 ms, or all that comes. Returns the number of bytes. */
async function read(port: number, path: string, bytes?: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let total = 0;
  const count = (part: Buffer | null) => (total += part?.length ?? 0);
  if (bytes === undefined) socket.on('data', count);
  else {
    const timer = setInterval(() => count(socket.read(bytes) as Buffer | null), 50);
    socket.once('close', () => clearInterval(timer));
  }
  await new Promise((resolve) => socket.once('close', resolve));
  return total;
}

test('a client that reads a few bytes now and then is closed, one that reads gets everything', async () => {
  const { server, port } = await startServer();
  const closed = new Promise<boolean>((resolve) => {
    server.once('request', (_, response) => response.once('close', () => resolve(response.writableFinished)));
  });
  void read(port, '/slow', 1);
  expect(await closed).toBe(false);
  expect(await read(port, '/')).toBeGreaterThanOrEqual(large.length);
  expect(await read(port, '/late')).toBeGreaterThan('beginend'.length);
  server.closeAllConnections();
  server.close();
}, 30_000);
