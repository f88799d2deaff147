import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { startCluster } from '#db/embedded/embedded.ts';
import { certificateFiles, listTlsSettings } from '#e2e/support/proxies/certificates/certificates.ts';
import { childEnv } from '#platform/config/processes.ts';

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
