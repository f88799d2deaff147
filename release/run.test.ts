import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const packagedNode = `node-${process.platform}-${process.arch}`;
let folder: string;

// A project in a path with a blank, with the launcher, packages without a registry, and a program.
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'notif-run-')), 'a project');
  onTestFinished(() => rmSync(join(folder, '..'), { recursive: true }));
  const manifest = (name: string) => ({ [`${name}/package.json`]: JSON.stringify({ name, version: '1.0.0' }) });
  write({
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { next: 'file:next' },
      devDependencies: { tested: 'file:tested' },
      optionalDependencies: { native: 'file:native' },
    }),
    ...manifest('next'),
    'next/dist/docs/manual.md': '',
    'tested/package.json': JSON.stringify({ name: 'tested', version: '1.0.0', bin: 'program.js' }),
    'tested/program.js': 'console.log("a program of a package", ...process.argv.slice(2));',
    ...manifest('native'),
    'program.mjs': 'console.log("runs", ...process.argv.slice(2));',
    // Copies instead of links, as packages of a registry are.
    '.npmrc': 'install-links=true',
  });
  for (const file of ['release/run.mjs', 'platform/config/node-version.js'])
    cpSync(join(root, file), join(folder, file));
  lockPackages();
});

function write(files: Record<string, string>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

function lockPackages(): void {
  const { status, stderr } = spawnSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: folder });
  if (status !== 0) throw new Error(String(stderr));
}

type Options = { version?: string; isolated?: boolean; args?: string[] };

// A Node of another version, by what it says of itself. Without a path it finds no npm.
const asVersion = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
];

function run({ version, isolated = false, args = ['./program.mjs', 'one', 'two words'] }: Options = {}) {
  const all = [...(version ? asVersion(version) : []), join(folder, 'release', 'run.mjs'), ...args];
  const env = isolated ? { NODE_ENV: 'test' as const, PATH: '' } : process.env;
  return spawnSync(process.execPath, all, { cwd: tmpdir(), encoding: 'utf8', env });
}

const ran = (stderr: unknown = '') => ({ status: 0, stdout: 'runs one two words\n', stderr });
const installs = (size: string) => expect.stringContaining(`Installs packages once: ${size}`);
const withTests = ['--with-tests', 'tested', 'three'];

test('a first run installs what serves, once, and a program of the tests the rest', () => {
  expect(run()).toMatchObject(ran(installs('one minute')));
  expect(run()).toMatchObject(ran());
  expect(run({ args: withTests })).toMatchObject({ status: 0, stdout: 'a program of a package three\n' });
  expect(run({ args: withTests }).stderr).toBe('');
  expect(run()).toMatchObject(ran());
});

test('with all packages present it needs neither npm nor a network', () => {
  run();
  expect(run({ isolated: true })).toMatchObject(ran());
});

test('packages that were cut off, pruned, or are of another version are installed again', () => {
  run();
  rmSync(join(folder, 'node_modules', '.package-lock.json'));
  expect(run()).toMatchObject(ran(installs('one minute')));
  rmSync(join(folder, 'node_modules', 'next', 'dist'), { recursive: true });
  expect(run()).toMatchObject(ran(installs('one minute')));
  for (const file of ['next/package.json', 'package-lock.json'].map((name) => join(folder, name)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"1.0.0"', '"1.0.1"'));
  expect(run()).toMatchObject(ran(installs('one minute')));
  expect(run()).toMatchObject(ran());
});

test('an optional package of another version is installed again, and one that this system lacks is not', () => {
  run();
  const change = (file: string, edit: (packages: Record<string, { version: string } | undefined>) => void) => {
    const lock = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    edit(lock.packages);
    writeFileSync(join(folder, file), JSON.stringify(lock));
  };
  change('package-lock.json', ({ 'node_modules/native': native }) => Object.assign(native ?? {}, { version: '1.0.1' }));
  write({ 'native/package.json': JSON.stringify({ name: 'native', version: '1.0.1' }) });
  expect(run()).toMatchObject(ran(installs('one minute')));
  change('node_modules/.package-lock.json', (packages) => delete packages['node_modules/native']);
  expect(run()).toMatchObject(ran());
});

test('a Node that drops headers unseen does not serve: one sentence where npm has no other', () => {
  run();
  for (const version of ['22.23.2', '22.24.0', '24.18.1', '24.100.0', '26.7.0', '28.0.0'])
    expect(run({ version, isolated: true })).toMatchObject(ran());
  const old = ['20.11.0', '22.9.9', '22.23.1', '23.11.1', '24.18.0', '25.9.0', '26.6.0'];
  for (const version of old) {
    const { status, stdout, stderr } = run({ version });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`\nThis is Node ${version}. The service needs Node 22.23.2, 24.18.1, 26.7.0 or newer.`);
  }
});

test.skipIf(process.platform === 'win32')(
  'the Node that npm has installed runs everything, found by its path, and first in PATH',
  () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    manifest.dependencies[packagedNode] = `file:${packagedNode}`;
    write({
      'package.json': JSON.stringify(manifest),
      [`${packagedNode}/package.json`]: JSON.stringify({ name: packagedNode, version: '1.0.0' }),
      [`${packagedNode}/bin/node`]: `#!/bin/sh\necho packaged "\${PATH%%:*}"\nexec '${process.execPath}' "$@"\n`,
    });
    chmodSync(join(folder, packagedNode, 'bin', 'node'), 0o755);
    lockPackages();
    const bin = join(folder, 'node_modules', packagedNode, 'bin');
    for (const version of ['20.11.0', '24.18.1', process.versions.node])
      expect(run({ version })).toMatchObject({ status: 0, stdout: `packaged ${bin}\nruns one two words\n` });
  },
);

test.skipIf(process.platform === 'win32')(
  'signals and exit codes pass through, also on a Node that cannot become another program',
  async () => {
    write({
      'waits.mjs': `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up');`,
    });
    run();
    const without = ['--import', 'data:text/javascript,process.execve = undefined'];
    for (const options of [[], without]) {
      const child = spawn(process.execPath, [...options, join(folder, 'release', 'run.mjs'), './waits.mjs']);
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      expect((await once(child, 'exit'))[0]).toBe(7);
    }
  },
);
