import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { marked } from 'marked';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from '#db/embedded/embedded.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { askProxy, begin, proxyName, startProxy, type TlsProxy } from '#e2e/machines/tls-proxy.ts';
import { findLastRelease, makePackage, makePackageOf, unpack } from '#e2e/package/unpacked.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { keepReading, type PortalClient } from '#e2e/support/http/open-streams.ts';
import { lacks, programPath } from '#e2e/support/programs.ts';
import { type Running, startProgram } from '#e2e/support/running.ts';
import { freePort, root } from '#e2e/support/service/service.ts';
import { runWithSystemctl } from '#e2e/support/service/systemctl.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

const lastRelease = await findLastRelease();
if (lastRelease === null)
  process.stdout.write('Tests are skipped because the commit of the last release is missing: git fetch --unshallow\n');
const cannotRun = lastRelease === null || lacks('nginx', 'curl');

const sendPath = '/api/v1/notif.php';
const clientCount = 4;
// With four keys each, they stay below 60 calls a minute.
const keysOfClient = 4;
const pauseMs = 300;

let folder: string;
let database: Embedded;
let admin: postgres.Sql;
let proxy: TlsProxy;
let machine: Machine;
let blocks: string[];
let signIns: Record<'pemilik' | 'karyawan1', string>;
let keys: string[];
const [oldName, newName] = ['staff-notification-old', 'staff-notification-new'];
const inFolder = (...names: string[]) => join(folder, ...names);

/** A machine with two processes, whose program is the one that `current` leads to when they start. */
type Machine = {
  ports: number[];
  /** Runs shell lines with a `systemctl` that restarts these processes; `before` runs before each restart. */
  run: (lines: string, before?: (port: number) => Promise<void>) => Promise<void>;
  outputOf: (port: number) => string;
  stop: () => Promise<void>;
};

const settings = (more: Record<string, string>) => ({
  env: { PATH: programPath, HOME: inFolder('home'), SETTINGS_FILE: '/dev/null', HOST: '127.0.0.1', ...more },
  extendEnv: false,
});

const settingsOfService = async () => ({
  DATABASE_URL: database.url,
  DATABASE_OWNER_URL: ownerUrlOf(database.url) ?? '',
  AUTH_SECRET: await readFile(inFolder('data', 'auth-secret'), 'utf8'),
  APP_URL: `https://${proxyName}`,
});

async function startMachine(): Promise<Machine> {
  const running = new Map<number, Running>();
  const variables = await settingsOfService();
  const restart = async (port: number) => {
    await running.get(port)?.stop(15_000);
    const options = settings({ ...variables, PORT: String(port) });
    running.set(port, startProgram(inFolder('opt', 'current', 'bin', 'notif'), ['start'], options));
  };
  const ports = [await freePort(), await freePort()];
  return {
    ports,
    run: (lines, before = async () => {}) => {
      const inTurn = (port: number) => before(port).then(() => restart(port));
      return runWithSystemctl(lines, inTurn, inFolder('copied'));
    },
    outputOf: (port) => running.get(port)?.output() ?? '',
    stop: async () => void (await Promise.all([...running.values()].map((one) => one.stop(15_000)))),
  };
}

// The old release makes the company itself, so that no function of this version writes to its schema.
async function makeCompany(): Promise<void> {
  const options = settings({ DATA_DIR: inFolder('data'), PORT: String(await freePort()) });
  const trial = startProgram(inFolder('opt', 'current', 'bin', 'notif'), ['start'], options);
  await trial.says(/shown this once/);
  const passwordOf = (name: string) => new RegExp(`${name} +(\\S+)`).exec(trial.output())?.[1] ?? '';
  signIns = { pemilik: passwordOf('pemilik'), karyawan1: passwordOf('karyawan1') };
  await trial.stop(15_000);
  database = await startEmbedded(inFolder('data'));
  admin = postgres(database.adminUrl, { max: 2, onnotice: () => {} });
  keys = Array.from({ length: clientCount * keysOfClient }, generateKey);
  const fingerprints = keys.map((key) => fingerprintOf(key).toString('hex'));
  await admin`
    insert into api_keys (company_id, name, fingerprint, created_by)
    select company_id, 'kunci ' || place, decode(fingerprint, 'hex'), id
    from accounts, unnest(${fingerprints}::text[]) with ordinality as made (fingerprint, place)
    where username = 'pemilik'`;
}

// The blocks of docs/upgrading.md: the upgrade, the way back. Only folders, ports and names differ.
async function readBlocks(): Promise<string[]> {
  const page = marked.lexer(await readFile(join(root, 'docs', 'upgrading.md'), 'utf8'));
  const printed = page.flatMap((token) => (token.type === 'code' && token.lang === 'sh' ? [token.text as string] : []));
  return [newName, oldName].map((name, index) => {
    const lines = (printed[index] ?? '')
      .replaceAll(/staff-notification-\d+\.\d+\.\d+-linux-x64/g, name)
      .replaceAll('/opt/staff-notification', inFolder('opt'))
      .replace('3001 3002', machine.ports.join(' '));
    expect(lines).toContain(`ln -sfn ${name} ${inFolder('opt', 'current')}\n`);
    return lines;
  });
}

/** A send that a client repeats with its Idempotency-Key until it is answered 200, as the documentation says. */
type Sent = { title: string; key: string; onceKey: string; failures: string[]; isStored: boolean };

const asRequest = ({ title, key, onceKey }: Sent) => ({
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': onceKey },
  body: JSON.stringify({ judul: title, isi: 'Isi' }),
});
const planSend = (key = ''): Sent => ({
  title: randomUUID(),
  key,
  onceKey: randomUUID(),
  failures: [],
  isStored: false,
});

async function sendUntilStored(sent: Sent): Promise<void> {
  while (!sent.isStored) {
    const answer = await askProxy(proxy, sendPath, asRequest(sent)).catch(() => ({ status: 0, text: '' }));
    sent.isStored = answer.status === 200;
    if (!sent.isStored) sent.failures.push(`${answer.status} ${/"code":"(\w+)"/.exec(answer.text)?.[1]}`);
    await pause(pauseMs);
  }
}

/** Programs that send through the proxy, and two portals that read, until `stop`. */
function startTraffic(cookie: string) {
  let isSending = true;
  let isRead = false;
  const sends: Sent[] = [];
  const keepSending = async (client: number) => {
    for (let turn = 0; isSending; turn++) {
      const sent = planSend(keys[client * keysOfClient + (turn % keysOfClient)]);
      sends.push(sent);
      await sendUntilStored(sent);
    }
  };
  const open = (after: number) => begin(proxy, `/portal/stream?after=${after}`, { headers: { Cookie: cookie } });
  const readers = [1, 2].map(() => keepReading(open, () => isRead));
  const sending = Promise.all(Array.from({ length: clientCount }, (_, client) => keepSending(client)));
  const countStored = () => sends.filter(({ isStored }) => isStored).length;
  return {
    sends,
    readers,
    goesOn: async () => {
      const goal = countStored() + 3 * clientCount;
      await expect.poll(countStored, { timeout: 120_000 }).toBeGreaterThan(goal);
    },
    stop: async () => {
      isSending = false;
      await sending;
      const missing = () => listMissing(readers);
      await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
      isRead = true;
      // The next event ends the streams.
      await Promise.all(readers.map(({ ended }) => ended));
    },
  };
}

const listStored = () =>
  admin<{ no: number; title: string }[]>`select no::int as no, title from notifications order by no`;

async function listMissing(readers: PortalClient[]): Promise<number[]> {
  const stored = (await listStored()).map(({ no }) => no);
  return readers.flatMap(({ numbers }) => stored.filter((no) => no > (numbers[0] ?? 0) && !numbers.includes(no)));
}

async function signIn(port: number, username: keyof typeof signIns): Promise<string> {
  const from = { origin: `https://${proxyName}`, headers: { host: proxyName, 'x-forwarded-proto': 'https' } };
  const body = JSON.stringify({ username, password: signIns[username] });
  const headers = { ...from.headers, origin: from.origin, 'content-type': 'application/json' };
  const answer = await openLine(`http://127.0.0.1:${port}`, false).ask('/api/auth/sign-in', {
    method: 'POST',
    headers,
    body,
  });
  const session = answer.headers['set-cookie']?.find((one) => one.includes('session-token'));
  return session?.split(';')[0] ?? `${answer.status} ${answer.text}`;
}

async function statusOf(port: number, path: string, cookie: string): Promise<number> {
  const headers = { host: proxyName, 'x-forwarded-proto': 'https', cookie };
  return (await openLine(`http://127.0.0.1:${port}`, false).ask(path, { headers })).status;
}

/** What the processes must do, whichever of the two versions each of them has. `cookies` are of earlier sessions. */
async function checkEach(cookies: string[], earlier: Sent): Promise<string[]> {
  for (const port of machine.ports) {
    const line = openLine(`http://127.0.0.1:${port}`, false);
    const repeated = await line.ask(sendPath, asRequest(earlier));
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([200, 'true']);
    const opened = [await signIn(port, 'pemilik'), await signIn(port, 'karyawan1')];
    for (const cookie of [...cookies, ...opened]) expect(cookie).toContain('session-token');
    cookies.push(...opened);
  }
  const [owner, employee] = [0, 1].map((rest) => cookies.filter((_, index) => index % 2 === rest));
  for (const port of machine.ports) {
    for (const cookie of owner ?? []) expect(await statusOf(port, '/owner', cookie)).toBe(200);
    for (const cookie of employee ?? []) expect(await statusOf(port, '/portal/notifications', cookie)).toBe(200);
  }
  return cookies;
}

// Of the version that `current` leads to. Its machines cannot be reached by the name of the documentation.
async function expectNoErrors(): Promise<void> {
  const { stdout } = await execa(inFolder('opt', 'current', 'bin', 'notif'), ['doctor', '--json'], {
    ...settings(await settingsOfService()),
    reject: false,
  });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; sentence: string }[] };
  expect(checks.filter(({ state, name }) => state === 'error' && name !== 'proxy')).toEqual([]);
}

const listMigrations = async (name: string) => readdir(inFolder('opt', name, 'db', 'migrations'));

beforeAll(async () => {
  if (cannotRun) return;
  folder = await mkdtemp(join(tmpdir(), 'notif-upgrade-'));
  await chmod(folder, 0o755);
  for (const name of ['home', 'opt', 'copied', 'made', 'copied/old']) await mkdir(inFolder(name));
  const [old, archive] = await Promise.all([
    makePackageOf(lastRelease, inFolder('copied', 'old')),
    makePackage(root, inFolder('made')),
  ]);
  await unpack(old, inFolder('opt', oldName));
  // Unpacked under a new name: until the next release, both archives may have the same version and name.
  await unpack(archive, inFolder('made', newName));
  await execa('tar', ['czf', inFolder('copied', `${newName}.tar.gz`), '-C', inFolder('made'), newName]);
  await symlink(oldName, inFolder('opt', 'current'));
  await makeCompany();
  machine = await startMachine();
  blocks = await readBlocks();
  proxy = await startProxy('nginx', ...machine.ports);
  await machine.run(blocks[1]?.replace(/^ln .*$/m, '') ?? '');
}, 900_000);

afterAll(async () => {
  await proxy?.stop();
  await machine?.stop();
  await admin?.end();
  await database?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.skipIf(cannotRun)(
  'the upgrade from the last release and the way back lose no send while people work, as documented',
  async () => {
    const [upgrade = '', wayBack = ''] = blocks;
    const [first = 0, second = 0] = machine.ports;
    const cookie = await signIn(first, 'karyawan1');
    const traffic = startTraffic(cookie);
    await traffic.goesOn();
    let cookies = await checkEach([], traffic.sends[0] ?? planSend());
    const checkPhase = async () => {
      await traffic.goesOn();
      cookies = await checkEach(cookies.slice(-4), traffic.sends.at(-clientCount * 2) ?? planSend());
      await traffic.goesOn();
    };
    const onlyBeforeSecond = async (port: number) => {
      if (port === second) await checkPhase();
    };
    await expectNoErrors();
    await machine.run(upgrade, onlyBeforeSecond);
    await checkPhase();
    await expectNoErrors();
    await machine.run(wayBack, onlyBeforeSecond);
    await checkPhase();
    await expectNoErrors();
    const isNewer = (await listMigrations(newName)).length > (await listMigrations(oldName)).length;
    expect(machine.outputOf(first).includes('"msg":"a newer version migrated the database"')).toBe(isNewer);
    await traffic.stop();
    const stored = (await listStored()).map(({ title }) => title);
    const timesStored = traffic.sends.map(({ title }) => stored.filter((one) => one === title).length);
    expect(timesStored).toEqual(traffic.sends.map(() => 1));
    // A process takes its port before it can send, and says that nothing was stored; nginx passes that on.
    const failures = new Set(traffic.sends.flatMap((sent) => sent.failures));
    expect([...failures].filter((failure) => failure !== '503 unavailable')).toEqual([]);
  },
  600_000,
);
