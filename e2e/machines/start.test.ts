import { chown, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort, root, type Service, startService } from '#e2e/support/service/service.ts';
import { findWrongSettings } from '#platform/config/settings.ts';
import { generateKey } from '#server/keys/keys.ts';

const folders: string[] = [];
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'notif-trial-'));
  folders.push(made);
  return made;
}
afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true });
});

const trialReady = /only its fingerprint|was shown at the first start/;
const startTrial = (dataDir: string, more: Record<string, string> = {}) =>
  startService({ DATA_DIR: dataDir, ...more }, ['server/main.js'], trialReady);

async function demoCurl(service: Service): Promise<Record<string, unknown>> {
  const key = /X-API-Key: (jss_\w{64})/.exec(service.output())?.[1] ?? '';
  const body = /-d '([^']+)'/.exec(service.output())?.[1] ?? '';
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1/notif.php`, { method: 'POST', headers, body });
  return (await response.json()) as Record<string, unknown>;
}

// One trial for these tests: the company of its first start is the same at every later one.
const dataDir = await folder();
let signIns: string[] | null;
let key: string;
const signInsIn = (service: Service) => service.output().match(/^ {4}(pemilik|karyawan\d) .*$/gm);

test('requests during the first start get 503, and the log has one line about them', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/api/v1/notif.php?aksi=ping`;
  const headers = { 'X-API-Key': generateKey() };
  const starting = startTrial(dataDir, { PORT: String(port) });
  let isReady = false;
  void starting.then(() => (isReady = true));
  const statuses: number[] = [];
  while (!isReady) {
    const answer = await fetch(url, { headers }).catch(() => null);
    if (answer) statuses.push(answer.status);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const first = await starting;
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(5);
  expect(statuses.filter((status) => status !== 503 && status !== 401)).toEqual([]);
  const lines = (first.output().match(/^\{.*$/gm) ?? []).map((line) => JSON.parse(line));
  const isOurs = ({ level, msg }: { level: number; msg: string }) => level > 30 || msg.startsWith('requests get 503');
  expect(lines.filter(({ msg }) => msg !== 'notif').filter(isOurs)).toMatchObject([
    { level: 30, msg: 'requests get 503 until the database is ready' },
  ]);
  expect(first.output()).not.toContain('"stack"');

  // What the first start prints for the person. A minimal machine has no curl.
  const steps = ['Open this in a browser', '/login/demo#', 'Sign in at', 'with curl:', 'curl -X POST'];
  const places = steps.map((step) => first.output().indexOf(step));
  expect(places).toEqual(places.filter((place) => place >= 0).sort((a, b) => a - b));
  expect(await demoCurl(first)).toEqual({ ok: true, terkirim: 4 });
  signIns = signInsIn(first);
  expect(signIns).toHaveLength(5);
  key = /jss_\w{64}/.exec(first.output())?.[0] ?? 'none';

  const second = await startService({ DATA_DIR: dataDir });
  expect(second.process.exitCode).toBe(1);
  expect(second.output()).toBe(`DATA_DIR: a service uses ${dataDir}; stop it, or choose another folder.\n`);
  expect((await fetch(`${first.url}/login`)).status).toBe(200);
  const ended = await first.stop('SIGTERM');
  expect(ended.code).toBe(0);
  expect(ended.ms).toBeLessThan(10_000);
  await expect(stat(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('a trial makes its demo company once, prints sentences only, and survives a kill', async () => {
  const again = await startTrial(dataDir, { LOG_LEVEL: '' });
  expect(signInsIn(again)).toEqual(signIns);
  expect(again.output()).not.toMatch(/jss_\w|^\s*\{|next\.config/m);
  expect(again.output()).toMatch(/The demo key \(fingerprint [0-9a-f]{8}\)/);
  for (const name of ['auth-secret', 'demo.json', 'database-password'])
    expect([name, (await stat(join(dataDir, name))).mode & 0o077], 'for its owner only').toEqual([name, 0]);
  expect(await readFile(join(dataDir, 'demo.json'), 'utf8')).not.toContain(key);
  await again.stop('SIGKILL');
  const afterKill = await startTrial(dataDir);
  expect(afterKill.process.exitCode).toBeNull();
  expect((await afterKill.stop('SIGINT')).code).toBe(0);
});

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
// Becomes `nobody`, as `setpriv` would, and starts.
const asNobody = [
  '--input-type=module',
  '--eval',
  `process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody}); await import('${join(root, 'server', 'main.js')}');`,
];
const startAsNobody = () => startService({ DATA_DIR: dataDir }, asNobody, trialReady);
const listFiles = async () => (await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name));

test.skipIf(!isRoot)('a user who may not read the trial of root is told how, and loses nothing', async () => {
  const refused = async (path: string) => {
    const { process: child, output } = await startAsNobody();
    const [line] = /^EACCES.*$/m.exec(output()) ?? [];
    expect(line).toContain(path);
    expect(line).toContain(`run \`sudo chown -R ${nobody} ${dataDir}\`; or set DATA_DIR to another folder.`);
    expect(child.exitCode).toBe(1);
  };
  await refused(dataDir);
  await chown(dataDir, nobody, nobody);
  await refused(join(dataDir, 'database-password'));
  const demo = join(dataDir, 'demo.json');
  await Promise.all((await listFiles()).filter((path) => path !== demo).map((path) => chown(path, nobody, nobody)));
  await refused(demo);
  await chown(demo, nobody, nobody);
  const again = await startAsNobody();
  expect(signInsIn(again)).toEqual(signIns);
  await again.stop();
});

test.skipIf(!isRoot)('root starts the trial of a user as that user, with the same company', async () => {
  const ofRoot = await startTrial(dataDir);
  expect(signInsIn(ofRoot)).toEqual(signIns);
  const owners = await Promise.all((await listFiles()).map(async (path) => (await stat(path)).uid));
  expect(new Set(owners)).toEqual(new Set([nobody]));
  await ofRoot.stop();
});

test('a trial without its sign-ins or its key says how to go on, and not to delete anything', async () => {
  const demo = join(dataDir, 'demo.json');
  const kept = JSON.parse(await readFile(demo, 'utf8'));
  const outputWith = async (change: () => Promise<unknown>) => {
    await change();
    const service = await startService({ DATA_DIR: dataDir }, undefined, /\/owner\/keys\.|owner reset|delete the data/);
    await service.stop();
    return service.output();
  };
  const withoutKey = () => writeFile(demo, JSON.stringify({ signIns: kept.signIns, keyFingerprint: '' }));
  expect(await outputWith(withoutKey)).toMatch(/The first start was interrupted: .* make one at \S+\/owner\/keys\.$/m);
  expect(await outputWith(() => rm(demo))).toMatch(/demo\.json, .*, is missing; `npm run notif -- owner reset pemilik/);
});

test('a process takes no connection before it can serve pages and the interface', async () => {
  const port = await freePort();
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const starting = startService({ DATABASE_URL, AUTH_SECRET, PORT: String(port), APP_URL: `http://127.0.0.1:${port}` });
  const headers = { 'X-API-Key': generateKey() };
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status;
  const first = (path: string) => vi.waitFor(() => ask(path), { timeout: 60_000, interval: 5 });
  const answers = await Promise.all(['/login', '/api/v1/notif.php?aksi=ping', '/health/ready'].map(first));
  await (await starting).stop();
  expect(answers).toEqual([200, 401, 200]);
});

test('a taken port ends the start with one sentence, and nothing is created', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  const DATA_DIR = join(await folder(), 'data');
  for (const name of ['PORT', 'METRICS_PORT']) {
    const service = await startService({ [name]: String(port), DATA_DIR });
    expect(service.process.exitCode).toBe(1);
    expect(service.output()).toBe(
      `${name}: ${port} on 127.0.0.1 is already in use; stop the other program or set ${name} to another number.\n`,
    );
  }
  taken.close();
  await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT');
});

const url = 'postgres://nobody:x@127.0.0.1:1/none';
test.each<[string, Record<string, string>]>([
  ['PORT', { PORT: 'abc' }],
  ['HOST', { HOST: '0.0.0.0' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://one:5432,two:x/none' }],
  ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: url }],
  ['DATABASE_DIRECT_URL', { DATABASE_URL: url, DATABASE_DIRECT_URL: 'direct', AUTH_SECRET: 'x'.repeat(40) }],
  ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: url }],
  ['DATABASE_OWNER_URL', { DATABASE_URL: url, DATABASE_OWNER_URL: 'x', AUTH_SECRET: 'x'.repeat(40) }],
  ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '4' }],
  ['DATABASE_DURABILITY', { DATABASE_DURABILITY: 'off' }],
  ['DATABASE_DURABILITY', { DATABASE_DURABILITY: 'provider' }],
  ['AUTH_SECRET', { DATABASE_URL: url }],
  ['AUTH_SECRET', { DATABASE_URL: url, AUTH_SECRET: 'short' }],
  ['APP_URL', { APP_URL: 'example.test' }],
  ['SIGN_UP', { SIGN_UP: 'maybe' }],
  ['UPSTASH_REDIS_REST_TOKEN', { UPSTASH_REDIS_REST_URL: 'https://x.test' }],
  ['UPSTASH_REDIS_REST_URL', { UPSTASH_REDIS_REST_TOKEN: 'x' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['METRICS_PORT', { METRICS_PORT: '3911', PORT: '3911' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8, balancer.example.com' }],
])('a wrong or missing %s is named: %o', (name, variables) => {
  const given = process.env;
  onTestFinished(() => {
    process.env = given;
  });
  process.env = variables as NodeJS.ProcessEnv;
  expect(findWrongSettings()[0]?.name).toBe(name);
});

test.each(['--processes', '2'])('an argument that the start does not know ends it: %s', async (argument) => {
  const service = await startService({ DATA_DIR: join(await folder(), 'data') }, ['server/main.js', argument]);
  expect(service.process.exitCode).toBe(1);
  expect(service.output()).toBe(`${argument}: the start takes no arguments.\n`);
});

test('a start in production builds nothing, and says what to do', async () => {
  const source = await folder();
  for (const name of ['server', 'db', 'platform', 'messages', 'package.json', 'node_modules'])
    await symlink(join(root, name), join(source, name));
  const main = join(source, 'server', 'main.js');
  const settings = { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40) };
  const service = await startService(settings, ['--preserve-symlinks', '--preserve-symlinks-main', main]);
  expect(service.process.exitCode).toBe(1);
  expect(service.output()).toMatch(
    /^The pages are not built, or their sources have changed\. Run `npm run build`, .*\.\n$/,
  );
});

test('next start names a missing setting at its start', async () => {
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(await freePort())];
  const service = await startService({ DATABASE_URL: url }, next, /AUTH_SECRET: is missing/);
  await service.stop();
  expect(service.output()).toMatch(/AUTH_SECRET: is missing/);
});

test('a database that refuses the password ends the start with one sentence', async () => {
  const wrong = Object.assign(new URL(process.env.ADMIN_DATABASE_URL ?? ''), { password: 'wrong' }).href;
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL']) {
    const roles = { DATABASE_URL: process.env.DATABASE_URL, [name]: wrong };
    const service = await startService({ ...roles, AUTH_SECRET: 'x'.repeat(40) });
    expect(service.process.exitCode).toBe(1);
    expect(service.output()).toMatch(new RegExp(`^${name}: .*password.*\\.\\n$`));
  }
});
