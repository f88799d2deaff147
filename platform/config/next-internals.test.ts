import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findNextProgram, hasPlainArguments, isRouterState } from '#platform/config/next-internals.ts';

const require = createRequire(import.meta.url);
afterEach(() => vi.unstubAllEnvs());

test('Next’s command line is where its package says; otherwise nothing can be built', () => {
  const { bin } = require('next/package.json') as { bin: { next: string } };
  expect(findNextProgram()).toBe(join(require.resolve('next/package.json'), '..', bin.next));
});

test('Next leaves settings files alone; otherwise .env.local changes the service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-next-'));
  await writeFile(join(folder, '.env.local'), 'ONLY_IN_THE_FILE=yes\n');
  const script = `
    const { keepNextFromReadingFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'next-internals.ts'))});
    if (process.argv[1] === 'kept') keepNextFromReadingFiles();
    (await import('@next/env')).default.loadEnvConfig(${JSON.stringify(folder)});
    process.stdout.write(String(process.env.ONLY_IN_THE_FILE));`;
  const read = (...args: string[]) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script, ...args], {
      env: { NODE_ENV: 'production' },
      encoding: 'utf8',
    }).stdout;
  try {
    expect([read(), read('kept')]).toEqual(['yes', 'undefined']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('Next serves with a stored configuration; otherwise a package needs a compiler', async () => {
  const config = { distDir: '.next', experimental: {} };
  vi.stubEnv('__NEXT_PRIVATE_STANDALONE_CONFIG', JSON.stringify(config));
  const { default: load } = require('next/dist/server/config') as {
    default: (phase: string, folder: string) => Promise<object>;
  };
  expect(await load('phase-production-server', '/nowhere')).toEqual(config);
});

test('plain arguments are a JSON list, all else is marked by a dollar; otherwise actions are refused', async () => {
  const { encodeReply } = require('next/dist/compiled/react-server-dom-webpack/client.node') as {
    encodeReply: (values: unknown) => Promise<string | FormData>;
  };
  const plain = [{ name: '$5', at: new Date(0), left: undefined, list: [Number.NaN, -0, null, true, 1.5] }];
  expect(hasPlainArguments(String(await encodeReply(plain)))).toBe(true);
  const twice = { a: 1 };
  for (const value of [1n, new Map([[1, 1]]), new Set([1]), new Blob(['x']), [twice, twice]]) {
    const body = await encodeReply([value]);
    expect([String(value), typeof body === 'string' && hasPlainArguments(body)]).toEqual([String(value), false]);
  }
});

test('a router state is what Next reads; another one is answered with 500', () => {
  const { parseAndValidateFlightRouterState: parse } =
    require('next/dist/server/app-render/parse-and-validate-flight-router-state') as {
      parseAndValidateFlightRouterState: (header: string) => unknown;
    };
  const isReadByNext = (header: string) => {
    try {
      parse(header);
      return true;
    } catch {
      return false;
    }
  };
  const leaf = ['__PAGE__', {}];
  const types = ['c', 'oc', 'd', 'ci(.)', 'ci(..)', 'ci(...)', 'ci(..)(..)', 'di(.)', 'di(..)(..)', 'x', 'oci(.)', 1];
  const states: unknown[] = [
    ...types.map((type) => [['id', '1', type, null], { children: leaf }]),
    ...[['a'], null, [1], undefined, 5].map((siblings) => [['id', '1', 'd', siblings], {}]),
    ...[['/x', ''], null, ['/x'], ['/x', 1], '/x'].map((url) => ['', {}, url]),
    ...['refetch', 'inside-shared-layout', 'metadata-only', null, 'x', ['refetch'], 1].map((mark) => [
      '',
      {},
      null,
      mark,
    ]),
    ...[16, null, '16', true].map((hints) => ['', { children: leaf, modal: leaf }, null, null, hints]),
    ...['x', null, 1].map((name) => ['', {}, null, null, 1, name]),
    ...[[], [''], ['', null], ['', { children: 1 }], ['', {}, null, null, 1, 'x', 2], {}, null, 'x', 5, [null, {}]],
  ];
  const headers = ['', '%', '%5B', '[', 'null', ...states.map((state) => encodeURIComponent(JSON.stringify(state)))];
  const wrong = headers.filter((header) => isRouterState(header) !== isReadByNext(header));
  expect(wrong.map(decodeURIComponent)).toEqual([]);
  expect(headers.filter(isRouterState).length).toBeGreaterThan(15);
});
