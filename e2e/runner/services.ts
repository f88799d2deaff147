import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import postgres from 'postgres';
import { ensureSessionLimits } from '#db/driver/connect.ts';
import { type Cluster, startCluster } from '#db/embedded/embedded.ts';
import {
  outboundLogVariables,
  registerSecrets,
  reportFolder,
  startTestDatabase,
  startTestService,
  type TestDatabase,
  type Variables,
} from '#e2e/runner/environment.ts';
import { count, countCheck } from '#e2e/runner/outcome.ts';
import { announce, isFull, isWhole, runBrowser, runVitest, wanted } from '#e2e/runner/steps.ts';
import { findBrowser } from '#e2e/support/browser/find-browser.ts';
import { lacks } from '#e2e/support/programs.ts';
import { startPooler } from '#e2e/support/proxies/pooler.ts';
import { createDatabase } from '#e2e/support/service/databases.ts';
import { freePort, root, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { asPooled } from '#platform/config/database.ts';
import { isKey } from '#server/keys/keys.ts';

// Shows the service's errors beside the failures of its tests.
function printErrors(service: Service): void {
  const errors = service.output().match(/^.*"level":50.*$/gm) ?? [];
  if (count.failed === 0 || errors.length === 0) return;
  const shown = errors.slice(-10).map((line) => line.slice(0, 500));
  process.stdout.write(`\nerrors in its log:\n${shown.join('\n')}\n`);
}

// What a run leaves (tables, files, logs, pages) must hold no key, password, token or secret.
async function searchForSecrets({ server, folder }: TestDatabase): Promise<void> {
  announce('secrets');
  const started = Date.now();
  await dumpAll(server.adminUrl, join(folder, 'dump'));
  // A running server changes its files.
  await server.stop();
  const places = [...['dump', 'seen', 'postgres'].map((name) => join(folder, name)), join(root, '.next'), reportFolder];
  const there = places.filter((place) => existsSync(place));
  const found = await findSecrets(join(folder, 'secrets'), there);
  countCheck(found.length === 0, ...found.slice(0, 20).map(({ file, text }) => `secrets: ${file}: ${text}`));
  process.stdout.write(`${found.length} found, ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

// The service under test may connect to its database, itself and the push service only.
async function checkConnections(own: string[]): Promise<void> {
  announce('connections');
  const known = own.map((url) => new URL(url).host);
  const opened = (await readFile(outboundLogVariables.OUTBOUND_LOG, 'utf8')).split('\n').filter(Boolean);
  const others = [...new Set(opened)].filter((target) => !known.includes(target));
  countCheck(others.length === 0, `connections: the service under test connected to ${others.join(', ')}`);
}

// Tests of status, headers, bodies and rate limit, which may differ without our HTTP server.
const representative = ['send', 'key.401', 'idempotency', 'rate-limit', 'contract-test'];

/** The programs of the oldest PostgreSQL; undefined where npm has none for the platform, an error in CI. */
async function findOldest(): Promise<Cluster['binaries']> {
  const found = (await import('postgres-16').catch(() => undefined)) as Cluster['binaries'];
  if (!found && process.env.CI) throw new Error('PostgreSQL 16 is missing: npm has no package for this platform.');
  if (!found) process.stdout.write('This run uses the newest PostgreSQL only: npm has no PostgreSQL 16 here.\n');
  return found;
}

/** Starts the oldest supported PostgreSQL behind PgBouncer; prints what is missing and does without it. */
async function startOtherDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'notif-elsewhere-'));
  const server = await startCluster(folder, { binaries: await findOldest() });
  const { url } = await createDatabase(server.adminUrl, 'notif_test');
  const isPooled = !lacks('pgbouncer');
  if (isPooled) await ensureSessionLimits(asPooled(url));
  const pooler = isPooled ? await startPooler([url]) : undefined;
  const urls = { DATABASE_URL: pooler?.urlOf(url) ?? url, DATABASE_DIRECT_URL: pooler ? url : '' };
  const stop = async () => {
    await pooler?.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { variables: { ...urls, ADMIN_DATABASE_URL: server.adminUrl }, stop };
}

// Plain `next start` on the oldest PostgreSQL behind a pooler.
async function runNext(variables: Variables): Promise<void> {
  const database = await startOtherDatabase();
  const port = await freePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)];
  const url = `http://127.0.0.1:${port}`;
  const settings = { ...variables, ...database.variables, PORT: String(port), APP_URL: url, NODE_ENV: 'production' };
  let service: Service | undefined;
  try {
    service = await startOrExplain(settings, next, /Ready in/);
    const title = 'api through next start on PostgreSQL 16 behind PgBouncer';
    const changed = { ...variables, ...database.variables, SERVICE_URL: url };
    await runVitest(title, ['api'], changed, isWhole ? representative : undefined);
  } finally {
    if (service) printErrors(service);
    await service?.stop();
    await database.stop();
  }
}

export function browserVariables(): Variables {
  const { path, isFull } = findBrowser();
  return { CHROMIUM_PATH: path, HEADLESS_SHELL: isFull ? '' : '1' };
}

// The browser tests use the processors while the others mostly wait. What measures nothing comes after them.
async function runSteps(variables: Variables): Promise<void> {
  const ended = await Promise.allSettled([runBrowserTests(variables), runOtherTests(variables)]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function runBrowserTests(variables: Variables): Promise<void> {
  if (wanted('browser')) await runBrowser('browser', { ...variables, ...browserVariables() });
  for (const step of ['tenancy', 'docs', 'clients', 'workflows'])
    if (wanted(step)) await runVitest(step, [step], variables);
  if (wanted('providers')) await runBrowser('providers', { ...variables, ...browserVariables() });
  if (wanted('next')) await runNext(variables);
  if (wanted('api')) await runVitest('api through the front', ['api'], variables);
}

async function runOtherTests(variables: Variables): Promise<void> {
  if (wanted('unit')) await runVitest('unit', ['pure', 'unit'], variables);
  if (wanted('server')) await runVitest('server', ['server'], variables);
  if (wanted('install')) await runVitest('install', ['install'], {});
  const rounds = { FAULTS: isFull ? 'full' : 'quick' };
  for (const step of ['package', 'faults', 'browsers'])
    if (wanted(step)) await runVitest(step, [step], { ...variables, ...rounds });
}

/** Runs the wanted steps against a database and a service of their own, and then searches both for secrets. */
export async function withServices(): Promise<void> {
  const database = await startTestDatabase();
  const { folder, variables } = database;
  let service: Service | undefined;
  await mkdir(join(folder, 'seen'));
  Object.assign(process.env, { TEST_SECRETS: join(folder, 'secrets'), TEST_SEEN: join(folder, 'seen') });
  try {
    registerSecrets(variables);
    service = await startTestService({ ...variables, ...outboundLogVariables });
    await runSteps({ ...variables, SERVICE_URL: service.url, OUTBOUND_LOG: outboundLogVariables.OUTBOUND_LOG });
    await checkConnections(
      [variables.DATABASE_URL, service.url, ...String(variables.PUSH_SERVICES).split(',')].map(String),
    );
  } finally {
    try {
      if (service) printErrors(service);
      await service?.stop();
      if (wanted('secrets')) await searchForSecrets(database);
    } finally {
      await database.stop();
      // The folder of these files is removed.
      delete process.env.TEST_SECRETS;
      delete process.env.TEST_SEEN;
    }
  }
}

// The forms of API keys and of session cookies (the head of every token of the sign-in library).
const shapes = 'jss_[0-9A-Za-z]{64}|eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0\\.\\.[0-9A-Za-z_-]{16}';

/** Searches folders for the noted secrets, in all encodings, and for texts in the form of a key or a cookie. */
async function findSecrets(secretsFile: string, folders: string[]) {
  const lines = (await readFile(secretsFile, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const secrets = new Set(lines.map((line) => JSON.parse(line) as string));
  const needles = new Set([...secrets].flatMap(formsOf));
  const needleFile = `${secretsFile}.forms`;
  await writeFile(needleFile, [...needles].join('\n'));
  const listed = needles.size === 0 ? [] : await grep(['-F', '-f', needleFile], folders);
  const shaped = await grep(['-E', '-e', shapes], folders);
  return [...listed, ...shaped.filter(({ text }) => !text.startsWith('jss_') || isKey(text))];
}

// Playwright's description of the page of a failed test, with the password that the test typed.
const picturedPage = 'error-context.md';

const shortestForm = 16;

function formsOf(secret: string): string[] {
  const bare = secret.replace(/^jss_/, '');
  const forms = [secret, bare, encodeURIComponent(secret), new URLSearchParams({ secret }).toString().slice(7)];
  for (const one of [secret, bare]) forms.push(...binaryForms(Buffer.from(one)));
  return forms.filter((form) => form.length >= shortestForm && !form.includes('\n'));
}

// Base64 of a text depends on its offset in a group of three bytes and, at its ends, on its neighbours.
function binaryForms(bytes: Buffer): string[] {
  const forms = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];
  for (const before of [0, 1, 2])
    for (const encoding of ['base64', 'base64url'] as const) {
      const written = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(encoding)
        .replace(/=+$/, '');
      forms.push(written.slice(before + 1, -1));
    }
  return forms;
}

async function grep(pattern: string[], folders: string[]) {
  const args = ['-raoHZ', `--exclude=${picturedPage}`, ...pattern, ...folders];
  const { stdout, exitCode } = await execa('grep', args, { env: { LC_ALL: 'C' }, reject: false });
  // Exit code 1: no match.
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`grep ended with ${exitCode}`);
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => line.split('\0')).map(([file = '', text = '']) => ({ file, text }));
}

async function dumpAll(adminUrl: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const databases = await admin<{ name: string }[]>`select datname as name from pg_database where not datistemplate`;
  await admin.end();
  for (const { name } of databases) await dump(adminUrl.replace(/\/[^/]*$/, `/${name}`), join(folder, name));
}

async function dump(url: string, prefix: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
  for (const { name } of tables) {
    const file = `${prefix}.${name}.txt`;
    await writeFile(file, '');
    for await (const rows of sql.unsafe(`select one::text as row from ${name} one`).cursor(1000))
      await appendFile(file, rows.map(({ row }) => `${row}\n`).join(''));
  }
  await sql.end();
}
