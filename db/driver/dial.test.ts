import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { startCluster } from '#db/embedded/embedded.ts';
import { certificateFiles, listTlsSettings } from '#e2e/support/proxies/certificates/certificates.ts';
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

// A server with a certificate for the name localhost, signed by an authority of its own.
const folder = await mkdtemp(join(tmpdir(), 'notif-tls-'));
const server = await startCluster(join(folder, 'data'), { settings: await listTlsSettings(folder) });
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function isEncrypted(url: string): Promise<unknown> {
  const sql = connect(url, 1);
  const asking = sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.then(([row]) => row?.ssl);
  return asking.catch(({ code }: { code?: string }) => code).finally(() => sql.end({ timeout: 1 }));
}

test.each<[string, 'localhost' | '127.0.0.1', unknown]>([
  ['', 'localhost', false],
  ['sslmode=prefer', 'localhost', true],
  ['sslmode=require', '127.0.0.1', true],
  ['sslmode=verify-full', 'localhost', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['sslmode=require&channel_binding=require', 'localhost', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['sslmode=verify-full&sslrootcert=CERT', 'localhost', true],
  ['sslmode=verify-full&sslrootcert=CERT', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['sslmode=verify-ca&sslrootcert=CERT', '127.0.0.1', true],
])('TLS to the database with "%s" at %s: %s', async (query, host, outcome) => {
  const url = new URL(server.adminUrl);
  url.hostname = host;
  url.search = query.replace('CERT', encodeURIComponent(certificateFiles.authority));
  expect(await isEncrypted(url.href)).toBe(outcome);
});

test('a server without TLS is refused with sslmode=require and accepted with prefer', async () => {
  const plain = childEnv().ADMIN_DATABASE_URL ?? '';
  expect(await isEncrypted(`${plain}?sslmode=require`)).toBe('TLS_REFUSED');
  expect(await isEncrypted(`${plain}?sslmode=prefer`)).toBe(false);
});
