import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { childEnv } from '#platform/config/processes.ts';

const real = new URL(childEnv().ADMIN_DATABASE_URL ?? '');
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(accept: (socket: Socket) => void, port = 0): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    accept(socket);
  }).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const urlOf = (...hosts: string[]) => `postgres://${real.username}:${real.password}@${hosts.join()}/postgres`;

/** The error code of one statement and the time it took, in seconds; `'ok'` when it was executed. */
async function ask(url: string): Promise<{ outcome: string; seconds: number }> {
  const sql = connect(url, 1);
  const startedAt = performance.now();
  const outcome = await sql`select 1`.then(() => 'ok').catch(({ code }: { code: string }) => code);
  await sql.end({ timeout: 0 });
  return { outcome, seconds: (performance.now() - startedAt) / 1000 };
}

test.each(['at once', 'after its first bytes'])('a server that closes connections %s is refused (X2)', async (when) => {
  let accepted = 0;
  const closing = await listen((socket) => {
    accepted++;
    if (when === 'at once') socket.end();
    else socket.once('data', () => socket.end());
  });
  const { outcome, seconds } = await ask(urlOf(closing));
  expect(outcome).toBe('CONNECTION_REFUSED');
  expect(seconds).toBeLessThan(2);
  expect(accepted).toBeLessThanOrEqual(2);
});

test('a server that accepts connections and says nothing is given up after 2 s (X2)', async () => {
  const silent = await listen(() => {});
  for (const query of ['', '?sslmode=require']) {
    const { outcome, seconds } = await ask(urlOf(silent) + query);
    expect(['CONNECT_TIMEOUT', 'CONNECTION_REFUSED']).toContain(outcome);
    expect(seconds).toBeLessThan(3);
  }
});

test('of several hosts the one that takes writes is used; that none answers is an error (X2)', async () => {
  const [closing, silent] = [await listen((socket) => socket.end()), await listen(() => {})];
  expect((await ask(urlOf('127.0.0.1:1', closing, silent, real.host))).outcome).toBe('ok');
  const { outcome, seconds } = await ask(urlOf('127.0.0.1:1', '127.0.0.1:2'));
  expect(outcome).toBe('CONNECTION_REFUSED');
  expect(seconds).toBeLessThan(3);
});

test('statements fail while the server is away, and the same pool answers when it is back (X2)', async () => {
  const host = await listen(() => {});
  for (const server of servers.splice(0)) server.close();
  const sql = connect(urlOf(host), 3);
  for (let round = 0; round < 3; round++) {
    const asked = await Promise.allSettled(Array.from({ length: 10 }, (_, place) => sql`select ${place}::int`));
    expect(asked.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  }
  await listen(
    (socket) => {
      const through = createConnection(Number(real.port), real.hostname).on('error', () => {});
      sockets.push(through.pipe(socket).pipe(through));
    },
    Number(host.split(':')[1]),
  );
  const again = await Promise.all(Array.from({ length: 10 }, (_, place) => sql`select ${place}::int as place`));
  expect(again.flat().map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await sql.end({ timeout: 0 });
});
