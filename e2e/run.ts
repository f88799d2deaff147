import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import postgres from 'postgres';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { findBrowser } from '#e2e/browser.ts';
import { figuresFile } from '#e2e/faults/figures.ts';
import { readConnections } from '#e2e/fixtures/connections.ts';
import { noteSecret } from '#e2e/fixtures/secrets.ts';
import { freePort, root, type Service, startService } from '#e2e/fixtures/service.ts';
import { everyday, type Kind, kinds, startDatabase } from '#e2e/other-databases.ts';
import { type Ran, readBrowserReport, readVitestReport, writeRows } from '#e2e/rows.ts';
import { dumpAll, findSecrets } from '#e2e/secrets.ts';
import { buildIfNeeded } from '#server/build.ts';

const out = join(root, 'e2e', '.out');
// `npm test -- browser keys` runs the browser tests whose file name contains "keys".
// "databases" is the long form of "next" and runs only when it is named.
const steps = [
  'types',
  'lint',
  'unit',
  'interface',
  'front',
  'tenancy',
  'faults',
  'docs',
  'next',
  'browser',
  'fuzz',
  'secrets',
  'databases',
];
// `npm run faults`: each fault gets all its rounds, and not only the few of every run.
const isFull = process.argv.includes('--full');
const words = process.argv.slice(2).filter((word) => word !== '--full');
const only = words.filter((word) => steps.includes(word));
const filters = words.filter((word) => !steps.includes(word));
const wanted = (step: string) => (only.length === 0 ? step !== 'databases' : only.includes(step));
// Every connection that the service under test opens is noted.
const watched = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'e2e', 'fixtures', 'outbound.ts'))}`,
  OUTBOUND_LOG: join(out, 'outbound.log'),
};
const count = { passed: 0, failed: 0 };
// Named once more at the end, where whoever sees only the last lines of a long run finds them.
const failures: string[] = [];
const ran: Ran[] = [];
// In CI what fails is tried once more (docs/decisions.md); what passes only then is a defect to be found, and named too.
const unsteady: string[] = [];

function announce(step: string): void {
  process.stdout.write(`\n── ${step} ──\n`);
}

async function run(command: string, args: string[], variables: Record<string, string> = {}): Promise<number> {
  const bin = join(root, 'node_modules', '.bin');
  const env = { ...process.env, ...variables, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

async function check(step: string, command: string, args: string[]): Promise<void> {
  announce(step);
  const code = await run(command, args);
  count[code === 0 ? 'passed' : 'failed'] += 1;
  if (code !== 0) failures.push(step);
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

function describeFailure(step: string, file: string, title: string, message = ''): string {
  return `${step}: ${relative(root, file)}: ${title}\n    ${message.split('\n').slice(0, 12).join('\n    ')}`;
}

async function runVitest(
  step: string,
  projects: string[],
  variables: Record<string, string>,
  files = filters,
): Promise<void> {
  announce(step);
  const report = join(out, `${step.replaceAll(' ', '-')}.json`);
  const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...files];
  const code = await run(
    'vitest',
    [...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    variables,
  );
  ran.push(...(await readVitestReport(report)));
  const result = JSON.parse(await readFile(report, 'utf8')) as VitestReport;
  for (const { name, status, message, assertionResults } of result.testResults) {
    // A file that could not even begin has no tests to name.
    if (status === 'failed' && assertionResults.every((one) => one.status !== 'failed'))
      failures.push(describeFailure(step, name, 'the whole file', message));
    for (const { status, fullName, failureMessages } of assertionResults)
      if (failureMessages.length > 0)
        (status === 'failed' ? failures : unsteady).push(describeFailure(step, name, fullName, failureMessages[0]));
  }
  count.passed += result.numPassedTests;
  count.failed += Math.max(result.numFailedTests, code === 0 ? 0 : 1);
}

type Suite = { suites?: Suite[]; specs?: { title: string; file: string; ok: boolean; tests: Tried[] }[] };
type Tried = { results: { errors: { message?: string }[] }[] };
type BrowserReport = { suites: Suite[]; stats: { expected: number; unexpected: number; flaky: number } };

function noteFailures({ suites = [], specs = [] }: Suite): void {
  for (const { ok, file, title, tests } of specs)
    if (!ok || messageOf(tests) !== '')
      (ok ? unsteady : failures).push(describeFailure('browser', join(root, 'e2e', file), title, messageOf(tests)));
  for (const suite of suites) noteFailures(suite);
}

// Playwright colours its messages for a terminal. A test that ran out of time has two errors: that it did, and what it waited for.
function messageOf(tests: Tried[]): string {
  const errors = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
  return stripVTControlCharacters(errors.map(({ message }) => message).join('\n'));
}

async function runBrowser(variables: Record<string, string>, files = filters): Promise<void> {
  announce('browser');
  const code = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts', ...files], variables);
  ran.push(...(await readBrowserReport(join(out, 'browser.json'))));
  const result = JSON.parse(await readFile(join(out, 'browser.json'), 'utf8')) as BrowserReport;
  for (const suite of result.suites) noteFailures(suite);
  count.passed += result.stats.expected + result.stats.flaky;
  count.failed += Math.max(result.stats.unexpected, code === 0 ? 0 : 1);
}

// Every row of docs/reliability.md was shown by a test of this very run, or says why none can.
async function checkRows(): Promise<void> {
  const file = join(out, 'rows.md');
  const { rows, failed, unseen } = await writeRows(file, ran);
  process.stdout.write(`\n${rows} rows of docs/reliability.md, their tests in ${relative(root, file)}\n`);
  count[failed.length + unseen.length === 0 ? 'passed' : 'failed'] += 1;
  if (failed.length > 0) failures.push(`rows: not shown, because a test failed: ${failed.join(', ')}`);
  if (unseen.length > 0) failures.push(`rows: no test of this run shows ${unseen.join(', ')}`);
}

async function printFigures(): Promise<void> {
  const lines = (await readFile(figuresFile, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  if (lines.length > 0) process.stdout.write('\nfigures of the faults:\n');
  for (const line of lines) {
    const { row, figures } = JSON.parse(line) as { row: string; figures: Record<string, number | string> };
    const told = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
    process.stdout.write(`${row}: ${told.join(', ')}\n`);
  }
}

async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  return giveToService(adminUrl.replace(/\/postgres$/, `/${name}`));
}

// What a service logged as an error while its tests failed is the first thing to look at.
function printErrors(service: Service): void {
  const errors = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  if (count.failed > 0 && errors.length > 0)
    process.stdout.write(
      `\nerrors in its log:\n${errors
        .slice(-10)
        .map((line) => line.slice(0, 500))
        .join('\n')}\n`,
    );
}

// Everything that could be read after the run: it must hold no key, password, token of an invitation or a session, and no secret of ours.
async function searchForSecrets(adminUrl: string, folder: string): Promise<void> {
  announce('secrets');
  const started = Date.now();
  await dumpAll(adminUrl, join(folder, 'dump'));
  const places = [join(folder, 'dump'), join(folder, 'seen'), join(folder, 'postgres'), join(root, '.next'), out];
  const there = places.filter((place) => existsSync(place));
  const found = await findSecrets(join(folder, 'secrets'), there);
  for (const { file, text } of found.slice(0, 20)) failures.push(`secrets: ${file}: ${text}`);
  count[found.length === 0 ? 'passed' : 'failed'] += 1;
  process.stdout.write(`${found.length} found, ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

// Whatever was asked of it, it asked nobody but these.
async function checkConnections(own: string[]): Promise<void> {
  announce('connections');
  const { others } = await readConnections(watched.OUTBOUND_LOG, own);
  count[others.length === 0 ? 'passed' : 'failed'] += 1;
  if (others.length > 0) failures.push(`connections: the service under test opened some to ${others.join(', ')}`);
}

async function startOrExplain(starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  if (service.process.exitCode === null) return service;
  throw new Error(`The service under test did not start:\n${service.output()}`);
}

// Plain `next start`, on everything that somebody's own database may be in one: the oldest release, behind a pooler.
async function runNext(variables: Record<string, string>): Promise<void> {
  const database = await startDatabase(everyday);
  const port = await freePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)];
  const url = `http://127.0.0.1:${port}`;
  const settings = { ...variables, ...database.variables, PORT: String(port), APP_URL: url, NODE_ENV: 'production' };
  const service = await startOrExplain(startService(settings, next, /Ready in/));
  try {
    const title = `interface through next start on ${everyday.name}`;
    await runVitest(title, ['interface'], { ...variables, ...database.variables, SERVICE_URL: url });
  } finally {
    printErrors(service);
    await service.stop();
    await database.stop();
  }
}

async function runOn(kind: Kind, shared: Record<string, string>): Promise<void> {
  const database = await startDatabase(kind);
  const port = String(await freePort());
  const address = { PORT: port, HOST: '127.0.0.1', APP_URL: `http://127.0.0.1:${port}` };
  const service = await startOrExplain(startService({ ...shared, ...database.variables, ...address }));
  const variables = { ...shared, ...database.variables, SERVICE_URL: service.url };
  try {
    await runVitest(`unit on ${kind.name}`, ['unit'], variables);
    await runVitest(`interface on ${kind.name}`, ['interface'], variables);
    await runVitest(`feed on ${kind.name}`, ['front'], variables, ['front/feed', 'front/streams']);
    await runBrowser({ ...variables, CHROMIUM_PATH: findBrowser() }, ['portal/pop-ups', 'portal/live']);
  } finally {
    printErrors(service);
    await service.stop();
    await database.stop();
  }
}

async function withServices(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-test-'));
  const database = await startEmbedded(folder);
  const running: Service[] = [];
  await mkdir(join(folder, 'seen'));
  Object.assign(process.env, { TEST_SECRETS: join(folder, 'secrets'), TEST_SEEN: join(folder, 'seen') });
  try {
    const url = await createDatabase(database.adminUrl, 'notif_test');
    await migrate(url);
    const port = await freePort();
    const pushPort = await freePort();
    const shared = {
      ...{ DATABASE_URL: url, AUTH_SECRET: 'a secret of the tests, and of nothing else', SIGN_UP: 'open' },
      PUSH_SERVICES: `http://127.0.0.1:${pushPort}`,
    };
    for (const one of [url, ownerUrlOf(url) ?? '', database.adminUrl]) noteSecret(new URL(one).password);
    noteSecret(shared.AUTH_SECRET);
    const front = await startOrExplain(
      startService({
        ...shared,
        ...watched,
        PORT: String(port),
        HOST: '127.0.0.1',
        APP_URL: `http://127.0.0.1:${port}`,
      }),
    );
    running.push(front);
    const variables = {
      ...{ ...shared, SERVICE_URL: front.url, ADMIN_DATABASE_URL: database.adminUrl },
      ...{ TEST_PUSH_PORT: String(pushPort), OUTBOUND_LOG: watched.OUTBOUND_LOG },
    };
    if (wanted('unit')) await runVitest('unit', ['unit'], variables);
    if (wanted('interface')) await runVitest('interface through the front', ['interface'], variables);
    if (wanted('front')) await runVitest('front', ['front'], variables);
    if (wanted('tenancy')) await runVitest('tenancy', ['tenancy'], variables);
    if (wanted('faults')) await runVitest('faults', ['faults'], { ...variables, FAULTS: isFull ? 'full' : 'quick' });
    if (wanted('docs')) await runVitest('docs', ['docs'], variables);
    if (wanted('next')) await runNext(variables);
    if (wanted('databases')) for (const kind of kinds) await runOn(kind, variables);
    if (wanted('browser')) await runBrowser({ ...variables, CHROMIUM_PATH: findBrowser() });
    await checkConnections([url, front.url, shared.PUSH_SERVICES]);
  } finally {
    for (const service of running) {
      printErrors(service);
      await service.stop();
    }
    if (wanted('secrets')) await searchForSecrets(database.adminUrl, folder);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await mkdir(out, { recursive: true });
await rm(figuresFile, { force: true });
await writeFile(watched.OUTBOUND_LOG, '');
const started = Date.now();
if (wanted('types')) await check('types', 'tsc', ['--noEmit']);
if (wanted('lint')) await check('lint', 'biome', ['check', '.']);
announce('build');
await buildIfNeeded();
await withServices();
if (wanted('fuzz')) await check('fuzz', 'node', ['e2e/fuzz/run.ts', '--seconds', '60']);
await printFigures();
if (only.length + filters.length === 0) await checkRows();
for (const one of unsteady) process.stdout.write(`\npassed at the second try: ${one}\n`);
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`);
process.stdout.write(
  `\n${Math.round((Date.now() - started) / 1000)} s\n${count.passed} passed, ${count.failed} failed\n`,
);
process.exit(count.failed === 0 ? 0 : 1);
