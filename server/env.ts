import { availableParallelism, totalmem } from 'node:os';
import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { asPooled, hostsOf, isConnectionString } from '#server/database-url.ts';
import { readSettings, secretSettings } from '#server/settings-file.ts';
import { readProxies, trustOwnMachine } from '#server/trusted-proxies.ts';

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(from, `must be a whole number from ${from} to ${to}`)
        .max(to, `must be a whole number from ${from} to ${to}`),
    );

const address = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const connectionString = 'must be like postgres://user:password@host:5432/database';
const secret = z.string().min(32, 'must have at least 32 characters (try: openssl rand -base64 33)');

const Env = z
  .object({
    PORT: wholeNumber(0, 65535).default(3000),
    HOST: z
      .string()
      .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
      .optional(),
    PROCESSES: wholeNumber(1, 12).default(1),
    STREAM_PROCESSES: wholeNumber(0, 8).optional(),
    DATA_DIR: z.string().default('.data'),
    DATABASE_URL: z.string().refine(isConnectionString, connectionString).optional(),
    DATABASE_DIRECT_URL: z.string().refine(isConnectionString, connectionString).optional(),
    DATABASE_OWNER_URL: z.string().refine(isConnectionString, connectionString).optional(),
    DATABASE_CONNECTIONS: wholeNumber(5, 1000).optional(),
    DATABASE_DURABILITY: z.enum(['checked', 'provider'], 'must be "checked" or "provider"').default('checked'),
    APP_URL: address('http:', 'https:')
      .transform((value) => new URL(value).origin)
      .optional(),
    AUTH_SECRET: secret.optional(),
    AUTH_SECRET_PREVIOUS: secret.optional(),
    SIGN_UP: z.enum(['open', 'closed'], 'must be "open" or "closed"').default('closed'),
    UPSTASH_REDIS_REST_URL: address('http:', 'https:').optional(),
    UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
    PUSH_SERVICES: z
      .string()
      .transform((value) => value.split(',').map((one) => one.trim()))
      .refine((origins) => origins.every((one) => URL.canParse(one) && new URL(one).origin === one), {
        error: 'must be origins such as https://push.example.com, separated by commas',
      })
      .default([]),
    TRUSTED_PROXIES: z
      .string()
      .transform((value, context) => {
        const proxies = readProxies(value);
        if (typeof proxies === 'function') return proxies;
        context.addIssue({ code: 'custom', message: proxies.wrong });
        return z.NEVER;
      })
      .default(() => trustOwnMachine),
    METRICS_PORT: wholeNumber(1, 65535).optional(),
    METRICS_HOST: z
      .string()
      .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
      .default('127.0.0.1'),
    PGBIN: z.string().optional(),
    LOG_LEVEL: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'must be one of trace, debug, info, warn, error, fatal, silent',
      )
      .default('info'),
  })
  .superRefine((given, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    const trial = given.DATABASE_URL === undefined;
    if (trial && given.HOST !== undefined && !['127.0.0.1', 'localhost', '::1'].includes(given.HOST))
      refuse('HOST', 'a trial (no DATABASE_URL) listens on 127.0.0.1 only; set DATABASE_URL to serve other machines');
    if (trial && given.DATABASE_DIRECT_URL !== undefined)
      refuse('DATABASE_DIRECT_URL', 'is the address past a pooler and goes with DATABASE_URL, which is missing');
    if (trial && given.DATABASE_OWNER_URL !== undefined)
      refuse('DATABASE_OWNER_URL', 'goes together with DATABASE_URL, the role that the service runs as');
    if (trial && !['127.0.0.1', 'localhost', '::1'].includes(given.METRICS_HOST))
      refuse('METRICS_HOST', 'a trial (no DATABASE_URL) listens on 127.0.0.1 only');
    if (given.PROCESSES > 1 && given.STREAM_PROCESSES)
      refuse(
        'STREAM_PROCESSES',
        'must be 0 or unset when PROCESSES is above 1: each process then holds its own streams',
      );
    if (given.METRICS_PORT !== undefined && given.METRICS_PORT === given.PORT)
      refuse('METRICS_PORT', 'must differ from PORT: metrics are not for everybody');
    if (!trial && given.AUTH_SECRET === undefined)
      refuse('AUTH_SECRET', 'is missing; with DATABASE_URL it must be set (try: openssl rand -base64 33)');
    if (trial && given.DATABASE_DURABILITY === 'provider')
      refuse('DATABASE_DURABILITY', 'goes with DATABASE_URL, which is missing; a trial checks its own database');
    const needed = minConnections(given.PROCESSES, given.STREAM_PROCESSES ?? 0);
    if (given.DATABASE_CONNECTIONS !== undefined && given.DATABASE_CONNECTIONS < needed)
      refuse('DATABASE_CONNECTIONS', `must be at least ${needed} with this number of processes`);
    if ((given.UPSTASH_REDIS_REST_URL === undefined) !== (given.UPSTASH_REDIS_REST_TOKEN === undefined))
      refuse(
        given.UPSTASH_REDIS_REST_URL === undefined ? 'UPSTASH_REDIS_REST_URL' : 'UPSTASH_REDIS_REST_TOKEN',
        'is missing; UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN go together',
      );
  })
  .transform((given) => ({
    ...given,
    trial: given.DATABASE_URL === undefined,
    HOST: given.HOST ?? (given.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
    APP_URL:
      given.APP_URL ??
      `http://${given.HOST === 'localhost' || given.DATABASE_URL ? 'localhost' : '127.0.0.1'}:${given.PORT}`,
  }));
type Env = z.output<typeof Env>;

/** All settings, checked. */
export type Settings = Env;

/**
 * A setting is missing or wrong. The message is one sentence for the terminal and names the
 * variable.
 */
export class EnvError extends Error {}

/**
 * Reads the settings file and the secrets' files into the environment. Every program calls it
 * before it reads a setting. Child processes inherit the result and read nothing again, so they do
 * not get back what `takeOwnerUrl` removed. `dropped`: variables that were not given but that a
 * library has set. Throws `EnvError`.
 */
export function loadSettings(dropped: string[] = []): void {
  if (process.env.SERVICE_SETTINGS !== undefined) return;
  for (const name of dropped) delete process.env[name];
  const read = readSettings(process.env);
  if ('problem' in read) throw new EnvError(read.problem);
  for (const name of secretSettings) delete process.env[`${name}_FILE`];
  Object.assign(process.env, read.variables, {
    SERVICE_SETTINGS: read.openFile ?? '',
    // Next would read .env in its own way, with what was removed from the environment.
    __NEXT_PROCESSED_ENV: 'true',
  });
  parsed = undefined;
}

/** The settings file, when it holds secrets and everyone on this machine can read it. */
export function findOpenSettingsFile(): string | undefined {
  return process.env.SERVICE_SETTINGS || undefined;
}

/**
 * Reads the flags of `npm start -- …`; a flag overrides its variable. Throws `EnvError` for an
 * unknown flag.
 */
export function takeFlags(given: string[]): void {
  try {
    const { values } = parseArgs({ args: given, options: { processes: { type: 'string' } } });
    if (values.processes !== undefined) process.env.PROCESSES = values.processes || '0';
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(/[.\n]/, 1)[0] : error;
    throw new EnvError(`${reason}; the only flag is --processes, as in npm start -- --processes 2.`);
  }
}

// A cache: the environment is parsed once. The functions that change the environment keep it up to
// date.
let parsed: Env | undefined;

/**
 * All settings of the process, parsed once. An empty variable counts as unset. Throws `EnvError`
 * for the first wrong variable.
 */
export function env(): Env {
  if (parsed) return parsed;
  const result = Env.safeParse(givenVariables());
  if (result.success) {
    parsed = result.data;
    // next-auth reads its address from here; `adopt` replaces it by the one that the start found.
    process.env.NEXTAUTH_URL ??= parsed.APP_URL;
    return parsed;
  }
  const issue = result.error.issues[0];
  throw new EnvError(`${String(issue?.path[0])}: ${issue?.message}.`);
}

const givenVariables = () => Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

/** A wrong setting, for a command that names all of them. */
export type WrongSetting = { name: string; problem: string };

/** All wrong settings; empty when `env` can be read. */
export function findWrongSettings(): WrongSetting[] {
  const result = parsed ? undefined : Env.safeParse(givenVariables());
  return (result?.error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), problem: message }));
}

/**
 * Reads this settings file instead of the usual one, as `loadSettings` does. A second file adds to
 * the first.
 */
export function readSettingsFile(path: string): void {
  process.env.SETTINGS_FILE = path;
  delete process.env.SERVICE_SETTINGS;
  loadSettings();
}

/** Turns off the log, which would mix with the output of a command. Call it before the first `env`. */
export function silenceLog(): void {
  process.env.LOG_LEVEL = 'silent';
}

/** How this person calls the command line: `notif`, or `npm run notif --` from source. */
export const programName = (): string => (process.env.npm_lifecycle_event ? 'npm run notif --' : 'notif');

/**
 * The folders in which to look for PostgreSQL's own programs, in this order: PGBIN, or else those of
 * PATH.
 */
export function programFolders(): string[] {
  const { PGBIN } = env();
  return PGBIN === undefined ? (process.env.PATH ?? '').split(delimiter).filter(Boolean) : [PGBIN];
}

/**
 * Lets the other settings be read where AUTH_SECRET is not set yet: `secret` takes its place. Call it
 * before the first `env`.
 */
export function assumeAuthSecret(secret: string): void {
  process.env.AUTH_SECRET ||= secret;
}

/** Where the database is, for a sentence: ` at HOST:PORT`, or nothing in a trial. */
export function hostsOfSettings(): string {
  const hosts = hostsOf(process.env.DATABASE_URL ?? '');
  return hosts === '' ? '' : ` at ${hosts}`;
}

/**
 * The connection string of the database; with DATABASE_DIRECT_URL it is one of a pooler. Throws
 * `EnvError` without DATABASE_URL.
 */
export function databaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new EnvError('DATABASE_URL: is missing; only `npm start` brings a database of its own.');
  return process.env.DATABASE_DIRECT_URL ? asPooled(url) : url;
}

/**
 * The connection string for LISTEN and migrations, which need a session of their own:
 * DATABASE_DIRECT_URL, or else the same as `databaseUrl`. Throws as it does.
 */
export function directDatabaseUrl(): string {
  return process.env.DATABASE_DIRECT_URL || databaseUrl();
}

/**
 * Returns the connection string of the schema's owner and removes it from the environment, so that
 * no child process gets it. Undefined when it was not given.
 */
export function takeOwnerUrl(): string | undefined {
  const url = process.env.DATABASE_OWNER_URL || undefined;
  delete process.env.DATABASE_OWNER_URL;
  if (parsed) delete parsed.DATABASE_OWNER_URL;
  return url;
}

/** The secret that encrypts sign-in cookies. Throws `EnvError` when it was not given. */
export function authSecret(): string {
  const secret = process.env.AUTH_SECRET;
  if (!secret)
    throw new EnvError('AUTH_SECRET: is missing; with DATABASE_URL it must be set (try: openssl rand -base64 33).');
  return secret;
}

/**
 * The secrets that decrypt sign-in cookies. The first also encrypts new cookies. The second,
 * AUTH_SECRET_PREVIOUS, is for cookies from before a change of the secret.
 */
export function cookieSecrets(): string[] {
  return [authSecret(), process.env.AUTH_SECRET_PREVIOUS ?? ''].filter((one) => one !== '');
}

/**
 * What a start finds out: the trial's database and secret, the real address, and how many
 * connections the database allows this service.
 */
export type Adopted = { databaseUrl: string; authSecret: string; appUrl: string; connections?: number | undefined };

/**
 * Passes what the start has found to the rest of the process. It uses `process.env` because the pages run from a bundle with a copy of this
 * module of their own, and because child processes inherit it.
 */
export function adopt(found: Adopted): void {
  process.env.DATABASE_URL = found.databaseUrl;
  process.env.AUTH_SECRET = found.authSecret;
  process.env.APP_URL = found.appUrl;
  process.env.NEXTAUTH_URL = found.appUrl;
  if (found.connections !== undefined) process.env.DATABASE_CONNECTIONS = String(found.connections);
  if (!parsed) return;
  // With DATABASE_URL set, a later reader cannot see that this is a trial, so this and its HOST are
  // fixed here.
  if (parsed.trial) process.env.SERVICE_TRIAL = 'yes';
  process.env.HOST = parsed.HOST;
  parsed = {
    ...parsed,
    APP_URL: found.appUrl,
    DATABASE_CONNECTIONS: found.connections ?? parsed.DATABASE_CONNECTIONS,
  };
}

/**
 * Whether this is a trial, which listens on this machine only; also after `adopt`, and in the bundle
 * of the pages.
 */
export const isTrial = (): boolean => env().trial || process.env.SERVICE_TRIAL === 'yes';

const gibibyte = 1024 ** 3;
const maxDefaultStreamProcesses = 4;

/**
 * How many processes hold the portals' streams beside the process that answers everything else:
 * STREAM_PROCESSES. The default is one for each core and for each GiB of memory, at most 4, and not
 * more than `connectionBudget` allows; none on a single core, and none with PROCESSES above 1. With 0
 * the process holds the streams itself.
 */
export function countStreamProcesses(): number {
  const { PROCESSES, STREAM_PROCESSES } = env();
  if (PROCESSES > 1) return 0;
  if (STREAM_PROCESSES !== undefined) return STREAM_PROCESSES;
  const cores = availableParallelism();
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const forConnections = Math.max(0, Math.floor((connectionBudget() - minConnections(1, 0)) / 2));
  return cores === 1 ? 0 : Math.min(cores, maxDefaultStreamProcesses, Math.floor(memory / gibibyte), forConnections);
}

// The three pools of a process with one connection each, LISTEN and an export.
const minWorkerConnections = 5;
const maxPoolConnections = 16;
// The supervisor of several processes: its pool of 2, and the migration before a reload.
const supervisorConnections = 3;
// LISTEN and an export.
const besidePools = 2;

/**
 * The fewest connections with which so many processes can work: a reload overlaps, so one process
 * more than PROCESSES counts.
 */
function minConnections(processes: number, streamProcesses: number): number {
  if (processes === 1) return minWorkerConnections + 2 * streamProcesses;
  return supervisorConnections + (processes + 1) * minWorkerConnections;
}

// Three machines with up to two processes each fit into PostgreSQL's default of 100, of which 97
// are free for ordinary roles. One machine alone may use all of them but ten.
const defaultConnections = 30;
const connectionsPerProcess = 9;
const maxDefaultConnections = 87;

/**
 * How many database connections all processes of this service may hold together, also while they
 * are replaced: DATABASE_CONNECTIONS. The default is 30; with more than two processes it is 9 more
 * for each, at most 87.
 */
export function connectionBudget(): number {
  const { PROCESSES, DATABASE_CONNECTIONS } = env();
  if (DATABASE_CONNECTIONS !== undefined) return DATABASE_CONNECTIONS;
  const grown = defaultConnections + connectionsPerProcess * Math.max(0, PROCESSES - 2);
  return Math.min(maxDefaultConnections, grown);
}

/** The fewest connections with which the processes of this service can work. */
export const minConnectionBudget = (): number => minConnections(env().PROCESSES, countStreamProcesses());

/**
 * The connections of this process's three pools, 16 together at most: `main` for pages and lists,
 * `calls` for the statements of the public interface that wait for no lock, `sends` for sends that
 * may wait. They are this process's share of `connectionBudget`, less one for LISTEN and those of
 * exports (`maxExports`). The supervisor of several processes and each stream process use one pool
 * only, the main one.
 */
export function poolSizes(): { main: number; calls: number; sends: number } {
  if (isStreamProcess()) return { main: streamPool(), calls: 1, sends: 1 };
  const { PROCESSES } = env();
  if (PROCESSES > 1 && !isWorker()) return { main: 2, calls: 1, sends: 1 };
  const all = Math.max(3, Math.min(maxPoolConnections, PROCESSES > 1 ? shareOfWorker() : shareOfSingleProcess()));
  const calls = Math.min(4, Math.max(1, Math.floor(all / 3)));
  const sends = Math.floor((all - calls) / 2);
  return { main: all - calls - sends, calls, sends };
}

const shareOfWorker = (): number =>
  Math.floor((connectionBudget() - supervisorConnections) / (env().PROCESSES + 1)) - besidePools;

const shareOfSingleProcess = (): number =>
  connectionBudget() - 1 - maxExports() - countStreamProcesses() * (streamPool() + 1);

// A stream process holds one connection more, for LISTEN.
const streamPool = (): number => (connectionBudget() >= defaultConnections ? 2 : 1);

/** How many exports this process may make at once; each holds a connection outside the pools. */
export const maxExports = (): number => (isWorker() || connectionBudget() < defaultConnections ? 1 : 2);

/** The environment of a child process: this process's own with changes. */
export function childEnv(changes: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/**
 * The environment of a program that is not ours, such as pg_dump: no secret and none of our settings,
 * only these variables beside what every program needs.
 */
export function programEnv(variables: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_LIBRARY_PATH } = process.env;
  return { PATH, HOME, LD_LIBRARY_PATH, LC_ALL: 'C', ...variables } as unknown as NodeJS.ProcessEnv;
}

/** The folder of a new build, before it replaces `.next`. */
export const buildFolder = '.next-new';

/**
 * The salt of the ids of form actions, base64 of 32 bytes. An id depends on it, on the file and on
 * the name of the action only. So every build gives an action the same id, also a build of another
 * version. Next also encrypts with it what an action closes over. No action closes over anything, so
 * it protects nothing and is no secret.
 */
export const actionsKey = Buffer.from('staff-notification: action ids 1').toString('base64');

/** The environment of a build of the pages. `id` becomes the id of the build. */
export function buildEnv(id: string): NodeJS.ProcessEnv {
  return childEnv({
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: actionsKey,
    // The bundler's allocator gives memory back at once: a tenth less memory.
    MIMALLOC_PURGE_DELAY: '0',
    MIMALLOC_ABANDONED_PAGE_PURGE: '1',
    // Threads of the bundler. The default is one for each core, and each takes memory.
    TOKIO_WORKER_THREADS: '2',
    BUILD_FOLDER: buildFolder,
    BUILD_ID: id,
  });
}

/** The id that the build was given, or null, so that Next makes one. */
export function givenBuildId(): string | null {
  return process.env.BUILD_ID || null;
}

/**
 * The folder in which Next builds and finds the pages: `.next`, or `buildFolder` during a build.
 */
export function pagesFolder(): string {
  return process.env.BUILD_FOLDER ?? '.next';
}

/**
 * Makes Next serve with the configuration that the build stored. It then needs neither
 * next.config.ts nor its compiler, and the working directory may be any folder.
 */
export function adoptBuiltConfig(config: object): void {
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, distDir: pagesFolder() });
}

/** The environment of a process that the first one starts: a worker, or one that holds streams. */
export function workerEnv(purpose: 'worker' | 'streams' = 'worker'): NodeJS.ProcessEnv {
  return childEnv({ SERVICE_WORKER: purpose });
}

/** Whether the first process of the service started this one. */
export function isWorker(): boolean {
  return process.env.SERVICE_WORKER !== undefined;
}

/** Whether this process only holds streams. */
export function isStreamProcess(): boolean {
  return process.env.SERVICE_WORKER === 'streams';
}

/** Whether `next dev` serves the pages: its tools need a less strict Content-Security-Policy. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === 'development';
}

/**
 * Whether `npm start`, `npm run dev` or `npm run notif` started this process, through a shell that does not forward
 * signals.
 */
export function startedByNpm(): boolean {
  return ['start', 'dev', 'notif'].includes(process.env.npm_lifecycle_event ?? '');
}
