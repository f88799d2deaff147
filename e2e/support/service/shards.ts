import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { startCluster } from '#db/embedded/embedded.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { startShardRouter } from '#e2e/support/proxies/shard-router.ts';
import { freePort, root } from '#e2e/support/service/service.ts';

/**
 * Two PostgreSQL servers behind an engine: PgDog where it is installed, otherwise a router of the
 * tests. `variables` lead a service to them, `unhinted` are the statements that named no server; null
 * with PgDog.
 */
export type Shards = {
  engine: 'PgDog' | 'router';
  urls: string[];
  adminUrls: string[];
  variables: Record<'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL', string>;
  unhinted: Set<string> | null;
  stopServer: (server: number) => Promise<void>;
  stop: () => Promise<void>;
};

// One password, so that the engine has one user for both.
const password = 'a password of the test servers';

/** Starts both servers with an empty database each, and the engine. */
export async function startShards(): Promise<Shards> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-shards-'));
  const servers = await Promise.all([0, 1].map((number) => startServer(join(folder, String(number)))));
  const urls: string[] = [];
  for (const { adminUrl } of servers) urls.push(await createDatabase(adminUrl));
  const [url = ''] = urls;
  const ports = urls.map((one) => Number(new URL(one).port));
  const isPgdog = spawnSync('pgdog', ['--version']).status === 0;
  const engine = isPgdog ? await startPgdog(folder, url, ports) : await startShardRouter(ports);
  const through = Object.assign(new URL(url), { port: String(engine.port) }).href;
  return {
    engine: isPgdog ? 'PgDog' : 'router',
    urls,
    adminUrls: servers.map(({ adminUrl }) => adminUrl.replace(/\/postgres$/, '/notif')),
    variables: {
      DATABASE_URL: `${through}?pgbouncer=true&prepare=true`,
      DATABASE_DIRECT_URL: urls.join(' '),
      DATABASE_OWNER_URL: urls.map(ownerUrlOf).join(' '),
    },
    unhinted: engine.unhinted,
    stopServer: async (server) => servers[server]?.stop(),
    stop: async () => {
      await engine.stop();
      for (const server of servers) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(folder: string) {
  await mkdir(folder);
  await writeFile(join(folder, 'database-password'), password.replaceAll(' ', '-'), { mode: 0o600 });
  const server = await startCluster(folder, { settings: ['max_connections=200'] });
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
  const [row] = await admin<{ file: string }[]>`select current_setting('hba_file') as file`;
  // The router of the tests knows no passwords.
  await writeFile(row?.file ?? '', 'host all postgres 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n');
  await admin`select pg_reload_conf()`;
  await admin.end();
  return server;
}

async function createDatabase(adminUrl: string): Promise<string> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await sql`create database notif`;
  await sql.end();
  return giveToService(adminUrl.replace(/\/postgres$/, '/notif'));
}

// With the settings that deploy/ has.
async function startPgdog(folder: string, url: string, ports: number[]) {
  const [port, at] = [await freePort(), ports.values()];
  const settings = (await readFile(join(root, 'deploy', 'pgdog.toml'), 'utf8'))
    .replace('port = 6432', `port = ${port}`)
    .replaceAll(/host = "10.*"\nport = 5432/g, () => `host = "127.0.0.1"\nport = ${at.next().value}`);
  const { username, password: secret } = new URL(url);
  const user = `[[users]]\nname = "${username}"\ndatabase = "notif"\npassword = "${secret}"\n`;
  const files = [join(folder, 'pgdog.toml'), join(folder, 'users.toml')] as const;
  await writeFile(files[0], settings);
  await writeFile(files[1], user);
  const child = spawn('pgdog', ['--config', files[0], '--users', files[1]], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => void appendFile(join(folder, 'pgdog.log'), part).catch(() => {}));
  await untilReady(Object.assign(new URL(url), { port: String(port) }).href, child);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return { port, unhinted: null, stop };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, prepare: false, fetch_types: false });
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (await sql`select 1`.then(Boolean, () => false)) return sql.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('PgDog did not start');
}
