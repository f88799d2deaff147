import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import { type Embedded, startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { readConnections } from '#e2e/fixtures/connections.ts';
import { everyday, type Kind, kinds, startDatabase } from '#e2e/runner/other-databases.ts';
import { count, countCheck, out } from '#e2e/runner/outcome.ts';
import { dumpAll, findSecrets } from '#e2e/runner/secrets.ts';
import { announce, isFull, runBrowser, runVitest, wanted } from '#e2e/runner/steps.ts';
import { findBrowser } from '#harness/find-browser.ts';
import { noteSecret } from '#harness/secrets.ts';
import { freePort, root, type Service, startOrExplain } from '#harness/service.ts';

/** What makes a service note every connection that it opens. */
export const watched = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'e2e', 'runner', 'setup', 'outbound.ts'))}`,
  OUTBOUND_LOG: join(out, 'outbound.log'),
};

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
async function searchForSecrets(database: Embedded, folder: string): Promise<void> {
  announce('secrets');
  const started = Date.now();
  await dumpAll(database.adminUrl, join(folder, 'dump'));
  // Its files come and go while it runs.
  await database.stop();
  const places = [join(folder, 'dump'), join(folder, 'seen'), join(folder, 'postgres'), join(root, '.next'), out];
  const there = places.filter((place) => existsSync(place));
  const found = await findSecrets(join(folder, 'secrets'), there);
  countCheck(found.length === 0, ...found.slice(0, 20).map(({ file, text }) => `secrets: ${file}: ${text}`));
  process.stdout.write(`${found.length} found, ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

// Whatever was asked of it, it asked nobody but these.
async function checkConnections(own: string[]): Promise<void> {
  announce('connections');
  const { others } = await readConnections(watched.OUTBOUND_LOG, own);
  countCheck(others.length === 0, `connections: the service under test opened some to ${others.join(', ')}`);
}

// Plain `next start`, on everything that somebody's own database may be in one: the oldest release, behind a pooler.
async function runNext(variables: Record<string, string>): Promise<void> {
  const database = await startDatabase(everyday);
  const port = await freePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)];
  const url = `http://127.0.0.1:${port}`;
  const settings = { ...variables, ...database.variables, PORT: String(port), APP_URL: url, NODE_ENV: 'production' };
  let service: Service | undefined;
  try {
    service = await startOrExplain(settings, next, /Ready in/);
    const title = `api through next start on ${everyday.name}`;
    await runVitest(title, ['api'], { ...variables, ...database.variables, SERVICE_URL: url });
  } finally {
    if (service) printErrors(service);
    await service?.stop();
    await database.stop();
  }
}

async function runOn(kind: Kind, shared: Record<string, string>): Promise<void> {
  const database = await startDatabase(kind);
  const port = String(await freePort());
  const address = { PORT: port, HOST: '127.0.0.1', APP_URL: `http://127.0.0.1:${port}` };
  let service: Service | undefined;
  try {
    service = await startOrExplain({ ...shared, ...database.variables, ...address });
    const variables = { ...shared, ...database.variables, SERVICE_URL: service.url };
    await runVitest(`unit on ${kind.name}`, ['unit'], variables);
    await runVitest(`api on ${kind.name}`, ['api'], variables);
    await runVitest(`feed on ${kind.name}`, ['server'], variables, ['server/feed', 'server/streams']);
    await runBrowser({ ...variables, CHROMIUM_PATH: findBrowser() }, ['portal/pop-ups', 'portal/live']);
  } finally {
    if (service) printErrors(service);
    await service?.stop();
    await database.stop();
  }
}

async function runSteps(variables: Record<string, string>): Promise<void> {
  if (wanted('unit')) await runVitest('unit', ['unit'], variables);
  if (wanted('api')) await runVitest('api through the front', ['api'], variables);
  if (wanted('server')) await runVitest('server', ['server'], variables);
  if (wanted('tenancy')) await runVitest('tenancy', ['tenancy'], variables);
  if (wanted('faults')) await runVitest('faults', ['faults'], { ...variables, FAULTS: isFull ? 'full' : 'quick' });
  if (wanted('docs')) await runVitest('docs', ['docs'], variables);
  if (wanted('next')) await runNext(variables);
  if (wanted('databases')) for (const kind of kinds) await runOn(kind, variables);
  if (wanted('browser')) await runBrowser({ ...variables, CHROMIUM_PATH: findBrowser() });
}

/** Runs the wanted tests against services of their own, ends these, and looks for what they should not have left. */
export async function withServices(): Promise<void> {
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
    const front = await startOrExplain({
      ...shared,
      ...watched,
      ...{ PORT: String(port), HOST: '127.0.0.1', APP_URL: `http://127.0.0.1:${port}` },
    });
    running.push(front);
    const variables = {
      ...{ ...shared, SERVICE_URL: front.url, ADMIN_DATABASE_URL: database.adminUrl },
      ...{ TEST_PUSH_PORT: String(pushPort), OUTBOUND_LOG: watched.OUTBOUND_LOG },
    };
    await runSteps(variables);
    await checkConnections([url, front.url, shared.PUSH_SERVICES]);
  } finally {
    try {
      for (const service of running) {
        printErrors(service);
        await service.stop();
      }
      if (wanted('secrets')) await searchForSecrets(database, folder);
    } finally {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
      // What runs after this has nowhere to note what it makes.
      delete process.env.TEST_SECRETS;
      delete process.env.TEST_SEEN;
    }
  }
}
