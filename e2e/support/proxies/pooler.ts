import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { programPath } from '#e2e/support/programs.ts';
import { type Running, startProgram } from '#e2e/support/running.ts';
import { freePort } from '#e2e/support/service/service.ts';

/** A running PgBouncer in transaction mode. `urlOf` returns a connection string that leads through it. */
export type Pooler = { urlOf: (url: string) => string; stop: () => Promise<void> };

/** Starts PgBouncer for the roles of these connection strings. `settings` are further lines. */
export async function startPooler(urls: string[], settings: string[] = []): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-pooler-'));
  const port = await freePort();
  const users = urls.map((url) => new URL(url)).map((url) => `"${url.username}" "${url.password}"`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(join(folder, 'users.txt'), `${[...new Set(users)].join('\n')}\n`);
  const { hostname, port: server } = new URL(urls[0] ?? '');
  await writeFile(file, configure(folder, port, `host=${hostname} port=${server}`, settings));
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const args = [...(isRoot ? ['-u', 'nobody'] : []), file];
  const running = startProgram('pgbouncer', args, { env: { PATH: programPath } });
  const urlOf = (url: string) => `${Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href}`;
  await untilReady(`${urlOf(urls[0] ?? '')}`, running);
  return {
    urlOf: (url) => `${urlOf(url)}?pgbouncer=true`,
    stop: async () => {
      await running.stop(10_000);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configure = (folder: string, port: number, server: string, settings: string[]) => `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
query_wait_timeout = 5
server_login_retry = 1
${settings.join('\n')}
`;

async function untilReady(url: string, { process: child, output }: Running): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, prepare: false, fetch_types: false });
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (await sql`select 1`.then(Boolean, () => false)) return sql.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`PgBouncer did not start: ${output()}`);
}
