import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connectionLimit, limitConnections, limitLineEnds, trackConnections } from '#server/front/connections.ts';

test('a tenth of the files of a process, at least 80, is reserved', () => {
  expect([1, 100, 1024, 2048, 20_000].map(connectionLimit)).toEqual([1, 20, 921, 1843, 18_000]);
});

const post = (client: string) =>
  `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\nContent-Length: 9\r\n\r\n`;

/** A server that answers GET, and a function that opens a connection and writes the first bytes. */
async function startServer() {
  const server = createServer();
  const connections = trackConnections(server, ({ method }, response) => {
    if (method === 'GET') response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dial = (first: string): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(first);
    return socket;
  };
  return { server, connections, dial };
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('of a proxy’s connections those of the client with the most are closed', async () => {
  const { server, connections, dial } = await startServer();
  limitConnections(server, connections, 12, () => 0);
  const open = async (first: string): Promise<Socket> => {
    const isSeen = once(server, first.startsWith('POST') ? 'request' : 'connection');
    const socket = dial(first);
    await isSeen;
    if (first.startsWith('GET')) await once(socket, 'data');
    return socket;
  };
  const openMany = async (count: number, first: string) => {
    const sockets: Socket[] = [];
    for (let at = 0; at < count; at++) sockets.push(await open(first));
    return sockets;
  };
  const idle = await openMany(6, get);
  const other = await openMany(1, post('203.0.113.2'));
  const flood = await openMany(5, post('203.0.113.1'));
  const closing = once(flood[0] as Socket, 'close');
  const next = await openMany(1, post('203.0.113.3'));
  await closing;
  expect([...idle, ...other, ...flood.slice(1), ...next].map(({ closed }) => closed)).not.toContain(true);
  for (const socket of [...idle, ...other, ...flood, ...next]) socket.destroy();
  server.close();
});

test('line ends without a request keep a connection open for a limited time, also behind a request', async () => {
  const { server, connections, dial } = await startServer();
  server.keepAliveTimeout = 60_000;
  limitLineEnds(server, connections, 500, 100);
  const [quiet, dripping] = [dial(get), ['', '\r\n', get].map(dial)];
  const timer = setInterval(() => dripping.map((socket) => socket.write('\r\n')), 50);
  await expect.poll(() => connections.size, { timeout: 10_000 }).toBe(1);
  clearInterval(timer);
  quiet.write(get);
  await once(quiet, 'data');
  for (const socket of [quiet, ...dripping]) socket.destroy();
  server.close();
});
