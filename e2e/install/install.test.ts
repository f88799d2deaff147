import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { freePort, root } from '#e2e/support/service/service.ts';
import { buildIfNeeded } from '#server/runtime/build-pages.ts';

// The commands of the README, with the programs that people have. Each cell has a checkout of its own.
// Each Node with the npm that comes with it, and each npm with an older and a newer Node.
const npmsOf = {
  '20.20.2': ['9.2.0', '10.8.2', '11.19.1'],
  '22.12.0': ['10.9.4', '11.0.0'],
  '22.23.5': ['10.8.2', '10.9.4'],
  '24.3.0': ['9.2.0', '11.0.0'],
  '24.18.1': ['10.8.2', '11.0.0', '11.19.1'],
};
const cells = Object.entries(npmsOf).flatMap(([node, npms]) => npms.map((npm): Machine => ({ node, npm })));
const old: Machine = { node: '20.20.2', npm: '10.8.2' };

type Machine = { node: string; npm: string };
type Checkout = { folder: string; env: Record<string, string> };

const tools = join(root, 'node_modules', '.cache', 'install');
const run = promisify(execFile);

/** Installs a package from the registry alone, once. Returns its folder. */
async function fetchPackage(name: string, version: string): Promise<string> {
  const folder = join(tools, `${name}-${version}`);
  const installed = join(folder, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder });
  return installed;
}

const nodePackage = `node-${process.platform}-${process.arch}`;

/** The folder with the programs of a machine, the first of its PATH. */
async function makePrograms({ node, npm }: Machine): Promise<string> {
  const folder = join(tools, `bin-${node}-${npm}`);
  if (existsSync(join(folder, 'npx'))) return folder;
  await mkdir(folder, { recursive: true });
  const npmBin = join(await fetchPackage('npm', npm), 'bin');
  await symlink(join(await fetchPackage(nodePackage, node), 'bin', 'node'), join(folder, 'node'));
  for (const name of ['npm', 'npx']) await symlink(join(npmBin, `${name}-cli.js`), join(folder, name));
  return folder;
}

beforeAll(async () => {
  await buildIfNeeded();
  for (const machine of cells) await makePrograms(machine);
}, 900_000);

const isLeftOut = /^(?:\.git|\.data|node_modules|dist|test-results|e2e\/\.out|bench\/out)$|^\.next/;

/** Copies the project into a path with a blank, until the end of the test; `isBuilt`: with built pages. */
async function makeCheckout({ onTestFinished }: TestContext, machine: Machine, isBuilt = true): Promise<Checkout> {
  const top = await mkdtemp(join(tmpdir(), 'notif-install-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const folder = join(top, 'a project');
  await cp(root, folder, { recursive: true, filter: (path) => !isLeftOut.test(relative(root, path)) });
  if (isBuilt) await cp(join(root, '.next'), join(folder, '.next'), { recursive: true });
  const PATH = [await makePrograms(machine), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const { HOME = '', NODE_EXTRA_CA_CERTS = '' } = process.env;
  const env = { HOME, NODE_EXTRA_CA_CERTS, PATH, PORT: String(await freePort()) };
  return { folder, env };
}

type Ended = { code: number | null; output: string };

function begin({ folder, env }: Checkout, args: string[], more: Record<string, string> = {}) {
  // A process group of its own, as in a terminal.
  const child = spawn('npm', args, { cwd: folder, env: { ...env, ...more } as never, detached: true });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part));
  const ended = once(child, 'close').then(([code]): Ended => ({ code, output: String(Buffer.concat(printed)) }));
  return { child, ended, output: () => String(Buffer.concat(printed)) };
}

const runNpm = (checkout: Checkout, ...args: string[]): Promise<Ended> => begin(checkout, args).ended;

const signal = (child: ChildProcess, name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name);

/** Runs `npm start` or `npm run dev` until it says so and `/login` answers 200, stops it as Ctrl-C does, and returns its output. */
async function serve(checkout: Checkout, args = ['start'], more: Record<string, string> = {}): Promise<string> {
  const { child, ended, output } = begin(checkout, args, more);
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  const isServing = () =>
    fetch(`http://127.0.0.1:${checkout.env.PORT}/login`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const isPrinted = () => output().includes('Staff Notification API is running');
  while (isRunning && !(isPrinted() && (await isServing()))) await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isRunning, output()).toBe(true);
  signal(child, 'SIGINT');
  await ended;
  return output();
}

const oneTest = ['test', '--', 'unit', 'platform/log/log'];

test.concurrent.for(cells)(
  'npm start serves and npm test tests, on Node $node with npm $npm',
  async (machine, context) => {
    const checkout = await makeCheckout(context, machine);
    const began = performance.now();
    const output = await serve(checkout);
    const started = performance.now();
    expect(output).toMatch(/Installs packages once[\s\S]*Staff Notification API is running/);
    // A setting of this machine's own .npmrc is not ours.
    expect(output.replace(/.*Unknown user config.*/g, '')).not.toMatch(/warn|error/i);
    const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: checkout.folder });
    const tested = await runNpm(checkout, ...oneTest);
    expect([tested.code, tested.output]).toEqual([0, expect.stringMatching(/Test Files.*1 passed/)]);
    const seconds = (from: number, to = performance.now()) => Math.round((to - from) / 1000);
    console.log(
      `Node ${machine.node}, npm ${machine.npm}: start ${seconds(began, started)} s, ${Number.parseInt(stdout, 10)} MB; test ${seconds(started)} s`,
    );
  },
);

test('a first start builds the pages; later ones install nothing and need no registry', async (context) => {
  const checkout = await makeCheckout(context, old, false);
  expect(await serve(checkout)).toContain('Building the pages, once');
  const again = await serve(checkout, ['start'], { npm_config_registry: 'http://127.0.0.1:1' });
  expect(again).not.toMatch(/Installs|Building/);
});

test('one more package, types, dev and a list of all packages work after a start', async (context) => {
  const checkout = await makeCheckout(context, old);
  await serve(checkout);
  expect((await runNpm(checkout, 'install', 'is-odd@3.0.1')).code).toBe(0);
  await serve(checkout, ['run', 'dev']);
  expect(await runNpm(checkout, 'run', 'types')).toMatchObject({ code: 0 });
  expect((await runNpm(checkout, 'ls', '--all')).code).toBe(0);
});

test('an install that was cut off is made anew', async (context) => {
  const checkout = await makeCheckout(context, old);
  const { child, ended } = begin(checkout, ['start']);
  const packages = join(checkout.folder, 'node_modules');
  while ((await readdir(packages).catch(() => [])).length < 20) await new Promise((resolve) => setTimeout(resolve, 20));
  signal(child, 'SIGKILL');
  await ended;
  expect(await serve(checkout)).toContain('Installs packages once');
});

test('npm ci works where only package.json and the lock file were copied', async (context) => {
  const checkout = await makeCheckout(context, old);
  for (const name of await readdir(checkout.folder))
    if (!/^(?:package(?:-lock)?\.json|e2e)$/.test(name)) await rm(join(checkout.folder, name), { recursive: true });
  await rm(join(checkout.folder, 'e2e'), { recursive: true });
  expect((await runNpm(checkout, 'ci')).code).toBe(0);
});

test('next start, next dev and vitest on a Node that is too old say one sentence and end', async (context) => {
  const checkout = await makeCheckout(context, old);
  await runNpm(checkout, 'ci');
  const node = join(String(checkout.env.PATH?.split(delimiter)[0]), 'node');
  for (const program of ['next/dist/bin/next start', 'next/dist/bin/next dev', 'vitest/vitest.mjs run platform']) {
    const [file = '', ...args] = program.split(' ');
    const { env, folder: cwd } = checkout;
    const { code, stdout, stderr } = await run(node, [join('node_modules', file), ...args], { cwd, env: env as never })
      .then((printed) => ({ code: 0, ...printed }))
      .catch((error: { code: number; stdout: string; stderr: string }) => error);
    expect([program, code]).toEqual([program, 1]);
    expect(stdout + stderr).toContain(
      'This is Node 20.20.2. The service needs Node 22.23.2, 24.18.1, 26.7.0 or newer.',
    );
  }
});
