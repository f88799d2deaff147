import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { disconnect, isDatabaseGone } from '#db/client.ts';
import { type Demo, openDemo } from '#db/demo.ts';
import { type Embedded, EmbeddedError, startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { BuildError, buildIfNeeded } from '#server/build.ts';
import { keepCalls } from '#server/calls.ts';
import { hasOwner } from '#server/companies.ts';
import { adopt, authSecret, databaseUrl, EnvError, env, startedByNpm } from '#server/env.ts';
import { closeFeed } from '#server/feed/feed.ts';
import { createFront, type Front } from '#server/front.ts';
import { keepHouse } from '#server/housekeeping.ts';
import { lockDataDir } from '#server/instance-lock.ts';
import { setupCode } from '#server/setup-code.ts';

/** A start that cannot go on; the message is one sentence fit to be printed as it is. */
class StartError extends Error {}

const stopSteps: (() => Promise<unknown>)[] = [];
const say = (text: string) => process.stdout.write(`${text}\n`);

async function start(): Promise<void> {
  const settings = env();
  const front = createFront();
  const port = await listen(front, settings.HOST, settings.PORT);
  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const dataDir = resolve(settings.DATA_DIR);
  if (settings.trial) adopt({ ...(await startTrial(dataDir)), appUrl });
  else adopt({ databaseUrl: databaseUrl(), authSecret: authSecret(), appUrl });
  await migrateWhenReachable();
  stopSteps.push(() => disconnect(5));
  stopSteps.push(keepCalls);
  await buildIfNeeded(() => say('Building the pages; this takes half a minute to two minutes and happens once…'));
  keepHouse();
  front.serve(await openPages(front, settings.HOST, port));
  if (settings.trial) printDemo(appUrl, await openDemo(dataDir));
  else await printSetup(appUrl);
}

function listen({ server }: Front, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `PORT: ${port} on ${host} is already in use; stop the other program or set PORT to another number.`,
        EACCES: `PORT: ${port} needs more rights than this user has; set PORT to a number above 1023.`,
      };
      reject(new StartError(reasons[error.code ?? ''] ?? `HOST: cannot listen on ${host}:${port} (${error.code}).`));
    });
    server.listen(port, host, () => {
      const bound = server.address();
      stopSteps.push(() => closeServer(server));
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

// Lets running requests finish, for 5 s; idle connections end at once.
async function closeServer(server: Front['server']): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), 5000);
  await closed;
  clearTimeout(late);
}

async function startTrial(dataDir: string): Promise<{ databaseUrl: string; authSecret: string }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOSPC') throw error;
    throw new StartError(`DATA_DIR: the folder ${dataDir} cannot be made (${error.code}).`);
  });
  const lock = await lockDataDir(dataDir);
  if (lock === 'taken') throw new StartError(`DATA_DIR: ${dataDir} is in use by a service that is already running.`);
  stopSteps.push(() => lock.release());
  const embedded: Embedded = await startEmbedded(dataDir);
  stopSteps.push(() => embedded.stop());
  return { databaseUrl: embedded.url, authSecret: await keepSecret(join(dataDir, 'auth-secret')) };
}

async function keepSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.length >= 32) return kept;
  const secret = randomBytes(33).toString('base64');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

// A database that comes up after us is waited for; one that refuses us is a setting that is wrong.
async function migrateWhenReachable(): Promise<void> {
  const { host } = new URL(databaseUrl());
  for (let said = ''; ; ) {
    try {
      return await migrate(databaseUrl());
    } catch (error) {
      if (!isDatabaseGone(error))
        throw new StartError(`DATABASE_URL: ${error instanceof Error ? error.message : error}.`);
      const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (reason !== said) say(`Waiting for the database at ${host} (${reason}); Ctrl-C ends the wait.`);
      said = reason;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function openPages({ server }: Front, hostname: string, port: number) {
  // Next's types and its CommonJS entry disagree about the default export under Node's own loader.
  const next = createRequire(import.meta.url)('next') as typeof import('next').default;
  const app = next({ dev: false, dir: join(import.meta.dirname, '..'), hostname, port, httpServer: server });
  await app.prepare();
  stopSteps.push(() => app.close());
  // Ends first: an open stream would hold up everything else that closes.
  stopSteps.push(closeFeed);
  return app.getRequestHandler();
}

function printDemo(appUrl: string, { signIns, key, keyFingerprint }: Demo): void {
  const width = Math.max(...signIns.map(({ username }) => username.length));
  const lines = signIns.map(({ role, username, password }) => `    ${username.padEnd(width)}  ${password}   ${role}`);
  const body = `{"judul":"Halo dari demo","isi":"Notifikasi pertama Anda sudah tiba."}`;
  const curl = `  curl -X POST ${appUrl}/api/v1/notif.php \\\n    -H 'X-API-Key: ${key}' \\\n    -H 'Content-Type: application/json' \\\n    -d '${body}'`;
  say(`
Staff Notification API is running (trial: demo data, this machine only).

  Portal and management area   ${appUrl}
  OpenAPI document             ${appUrl}/api/v1/openapi.json

  Sign in at ${appUrl}/login with a name and its password:
${lines.join('\n')}

${
  key
    ? `  Sign in as karyawan1, then send your first notification:\n\n${curl}\n\n  The key above is shown this once; only its fingerprint (${keyFingerprint}) is kept.`
    : signIns.length === 0 || keyFingerprint === ''
      ? '  The first start was interrupted before the demo company was complete; remove the data folder to begin anew.'
      : `  The demo key (fingerprint ${keyFingerprint}) was shown at the first start; make another at ${appUrl}/owner/keys.`
}
`);
}

async function printSetup(appUrl: string): Promise<void> {
  say(`Staff Notification API is running at ${appUrl}`);
  if (!(await hasOwner()))
    say(`No company exists yet. Set the first one up at ${appUrl}/setup with the code ${setupCode()}`);
}

let stopping: Promise<void> | undefined;

// In the reverse of the order in which things were started; ends by force when a step hangs.
function stop(exitCode: number): Promise<void> {
  stopping ??= (async () => {
    setTimeout(() => process.exit(1), 9000).unref();
    for (const step of stopSteps.reverse()) await step().catch((error: unknown) => console.error(error));
    process.exit(exitCode);
  })();
  return stopping;
}

function explain(error: unknown): string {
  const known = [StartError, EnvError, EmbeddedError, BuildError].some((kind) => error instanceof kind);
  if (known && error instanceof Error) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return `The disk is full: ${error.message}.`;
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return `DATA_DIR: ${error.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// npm passes a signal to the shell between us, which dies of it without telling us.
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && void stop(0), 250).unref();
}

if (startedByNpm()) stopWithParent();
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
start().catch(async (error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  await stop(1);
});
