import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { startCluster } from '#db/embedded.ts';
import { childEnv } from '#server/env.ts';

const run = promisify(execFile);
let folder: string;
let server: Awaited<ReturnType<typeof startCluster>>;

// A server with a self-signed certificate for the name localhost.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-tls-'));
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
  await run('openssl', `${request} -keyout key.pem -out cert.pem`.split(' '), { cwd: folder });
  const files = [`ssl_cert_file=${join(folder, 'cert.pem')}`, `ssl_key_file=${join(folder, 'key.pem')}`];
  server = await startCluster(join(folder, 'data'), { settings: ['ssl=on', ...files] });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function isEncrypted(url: string): Promise<unknown> {
  const sql = connect(url, 1);
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.ssl;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

test.each<[string, 'localhost' | '127.0.0.1', unknown]>([
  ['', 'localhost', false],
  ['sslmode=prefer', 'localhost', true],
  ['sslmode=require', '127.0.0.1', true],
  ['sslmode=verify-full', 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['sslmode=require&channel_binding=require', 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['sslmode=verify-full&sslrootcert=CERT', 'localhost', true],
  ['sslmode=verify-full&sslrootcert=CERT', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['sslmode=verify-ca&sslrootcert=CERT', '127.0.0.1', true],
])('TLS to the database with "%s" at %s: %s', async (query, host, outcome) => {
  const url = new URL(server.adminUrl);
  url.hostname = host;
  url.search = query.replace('CERT', encodeURIComponent(join(folder, 'cert.pem')));
  expect(await isEncrypted(url.href)).toBe(outcome);
});

test('a server without TLS is refused with sslmode=require and accepted with prefer', async () => {
  const plain = childEnv().ADMIN_DATABASE_URL ?? '';
  expect(await isEncrypted(`${plain}?sslmode=require`)).toBe('TLS_REFUSED');
  expect(await isEncrypted(`${plain}?sslmode=prefer`)).toBe(false);
});
