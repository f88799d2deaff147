import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import getPort from 'get-port';
import { ownerUrlOf } from '#db/service-role.ts';
import { noteSeen } from '#e2e/support/service/secrets.ts';

export const root = join(import.meta.dirname, '..', '..', '..');

/** Collects the last output of services that ended although no test stopped them. */
export const endedFile = join(root, 'e2e', '.out', 'ended-services.log');

export type Service = {
  url: string;
  process: ChildProcess;
  output: () => string;
  /** Stops it. SIGINT, the default, waits for open requests, SIGTERM also for idle connections. */
  stop: (signal?: NodeJS.Signals) => Promise<{ code: number | null; ms: number }>;
};

// Of each worker of a run: two of them could find one port free at the same time.
const [firstPort, ports] = [12_000 + ((process.pid + 7 * threadId) % 80) * 250, 250];

/** Finds a free port of 127.0.0.1 below the range of outgoing connections, which could take it. */
export const freePort = (): Promise<number> =>
  getPort({ host: '127.0.0.1', port: Array.from({ length: 20 }, () => firstPort + randomInt(ports)) });

const running = new Set<Service>();

/** Stops the services that a file of tests has left, and kills those that do not end. */
export async function endLeftServices(): Promise<void> {
  const end = async ({ process: child, stop }: Service) => {
    const late = setTimeout(() => child.kill('SIGKILL'), 5000);
    await stop();
    clearTimeout(late);
  };
  await Promise.all([...running].map(end));
}

type Variables = Record<string, string | undefined>;

// Variables of the test run that a service must not inherit.
const ofRun =
  /^(?:DATABASE|AUTH|OIDC|PUSH|UPSTASH|METRICS)_|^(?:APP_URL|PORT|HOST|SIGN_UP|TRUSTED_PROXIES|npm_lifecycle_event)$/;

// A database that this process prepared has an owner role, which migrates it at the first start.
const ownerOf = ({ DATABASE_URL = '' }: Variables, args: string[]): Variables =>
  args.some((arg) => arg.startsWith('server/main.')) ? { DATABASE_OWNER_URL: ownerUrlOf(DATABASE_URL) } : {};

// A trial prints its sign-ins and its key on purpose.
const readableOutput = ({ DATABASE_URL }: Variables, printed: string): string =>
  DATABASE_URL ? printed : (printed.match(/^\{.*$/gm) ?? []).join('\n');

/** Starts `node ...args` with these settings only, and waits until a line matches `ready`, or for its end. */
export async function startService(
  variables: Variables,
  args = ['server/main.js'],
  ready = /is running/,
  maxFiles?: number,
  folder = root,
): Promise<Service> {
  const port = Number(variables.PORT ?? (await freePort()));
  const cleared = Object.keys(process.env).filter((name) => ofRun.test(name));
  const env = {
    ...process.env,
    ...Object.fromEntries(cleared.map((name) => [name, undefined])),
    // It must not read a developer's `.env`.
    SETTINGS_FILE: '/dev/null',
    ...ownerOf(variables, args),
    LOG_LEVEL: 'info',
    ...variables,
    PORT: String(port),
  } as NodeJS.ProcessEnv;
  const command = [process.execPath, ...args];
  if (maxFiles) command.unshift('sh', '-c', `ulimit -n ${maxFiles}; exec "$@"`, 'sh');
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  const url = `http://127.0.0.1:${port}`;
  const closed = new Promise((resolve) => child.once('close', resolve));
  const service: Service = {
    url,
    process: child,
    output: () => printed.join(''),
    stop: async (signal = 'SIGINT') => {
      const started = performance.now();
      noteSeen('output', readableOutput(variables, printed.join('')));
      child.kill(signal);
      await closed;
      return { code: child.exitCode, ms: performance.now() - started };
    },
  };
  running.add(service);
  let isReady = false;
  child.once('close', (code, signal) => {
    running.delete(service);
    if (!isReady || child.killed || code === 0) return;
    const output = readableOutput(variables, printed.join('')).slice(-2000);
    const told = `${url} ended by itself (${code ?? signal}):\n${output}\n`;
    void appendFile(endedFile, told).catch(() => {});
  });
  await new Promise<void>((resolve) => {
    // A service under load prints megabytes, so the output is searched only until it is ready.
    const take = (part: string) => {
      printed.push(part);
      if (isReady) return;
      isReady = ready.test(printed.join(''));
      if (isReady) resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    void closed.then(() => resolve());
  });
  return service;
}

const { DATABASE_URL, AUTH_SECRET } = process.env;

/** The settings of a service beside the one under test, on its database. */
export const besideTested = { DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1' };

/** Such settings for a service at `url`, with these providers. */
export function withProviders(url: string, OIDC_PROVIDERS: string) {
  return { ...besideTested, PORT: new URL(url).port, APP_URL: url, OIDC_PROVIDERS };
}

/** Starts a service like `startService`. Throws its output when it ends before it is ready. */
export async function startOrExplain(...asked: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...asked);
  const { exitCode, signalCode } = service.process;
  if (exitCode === null && signalCode === null) return service;
  throw new Error(`The service under test did not start (${exitCode ?? signalCode}):\n${service.output()}`);
}
