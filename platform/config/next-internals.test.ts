import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import nextEnv from '@next/env';
import type { ActionManifest } from 'next/dist/build/webpack/plugins/flight-client-entry-plugin';
import { ACTION_HEADER } from 'next/dist/client/components/app-router-headers.js';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  findNextProgram,
  hasPlainArguments,
  isRouterState,
  keepNextFromReadingFiles,
  nameOfAction,
  serveWithBuiltConfig,
  tellNext,
} from '#platform/config/next-internals.ts';

const require = createRequire(import.meta.url);
afterEach(() => vi.unstubAllEnvs());

test('Next’s command line is where its package says; otherwise nothing can be built', () => {
  const { bin } = require('next/package.json') as { bin: { next: string } };
  expect(findNextProgram()).toBe(join(require.resolve('next/package.json'), '..', bin.next));
});

test('Next leaves settings files alone; otherwise .env.local changes the service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-next-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.stubEnv('NODE_ENV', 'production');
  await writeFile(join(folder, '.env.local'), 'ONLY_IN_THE_FILE=yes\n');
  const read = (isForced: boolean) => {
    nextEnv.loadEnvConfig(folder, false, console, isForced);
    return process.env.ONLY_IN_THE_FILE;
  };
  for (const name of ['__NEXT_PROCESSED_ENV', 'ONLY_IN_THE_FILE']) vi.stubEnv(name, undefined);
  keepNextFromReadingFiles();
  expect([read(false), read(true)]).toEqual([undefined, 'yes']);
});

test('Next serves with the configuration of a build, whose actions are named; otherwise a package fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-next-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = require('next/constants') as typeof import('next/constants');
  const config = { distDir: '.next', experimental: {} };
  const action = { exportedName: 'revokeKeyAction', filename: 'actions.ts', workers: {} };
  const manifest: ActionManifest = { node: { '40ab': action }, edge: {}, encryptionKey: '' };
  await mkdir(join(folder, names.SERVER_DIRECTORY));
  await writeFile(join(folder, `${names.SERVER_FILES_MANIFEST}.json`), JSON.stringify({ config }));
  const manifestFile = join(folder, names.SERVER_DIRECTORY, `${names.SERVER_REFERENCE_MANIFEST}.json`);
  await writeFile(manifestFile, JSON.stringify(manifest));
  const distDir = relative(join(import.meta.dirname, '..', '..'), folder);
  vi.stubEnv('__NEXT_PRIVATE_STANDALONE_CONFIG', '');
  await serveWithBuiltConfig(distDir);
  const { default: load } = require('next/dist/server/config') as {
    default: (phase: string, folder: string) => Promise<object>;
  };
  expect(await load(names.PHASE_PRODUCTION_SERVER, '/nowhere')).toEqual({ ...config, distDir });
  expect(['40ab', 'unknown'].map(nameOfAction)).toEqual(['revokeKeyAction', 'unknown']);
});

test('Next finds one host in Host and Origin of an action; otherwise it refuses those behind a proxy', () => {
  const { parseHostHeader } = require('next/dist/server/app-render/action-handler') as {
    parseHostHeader: (headers: object) => { value: string };
  };
  const appUrl = 'https://notif.example.com:8443';
  const tell = (sent: Record<string, string>) => {
    const headers: Record<string, string> = { host: '10.0.0.1', 'x-forwarded-host': 'other.example', ...sent };
    tellNext(headers, '192.0.2.7', appUrl);
    return { origin: headers.origin, host: parseHostHeader(headers).value, client: headers['x-forwarded-for'] };
  };
  const own = { origin: appUrl, host: new URL(appUrl).host, client: '192.0.2.7' };
  expect(tell({ origin: 'https://other.example', [ACTION_HEADER]: '40ab' })).toEqual(own);
  expect(tell({ origin: appUrl })).toEqual(own);
  const other = { origin: 'https://other.example', host: '10.0.0.1' };
  expect(tell({ origin: other.origin })).toEqual({ ...own, ...other });
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
    ...['refetch', 'inside-shared-layout', 'metadata-only', null, 'x', ['refetch'], 1].map((it) => ['', {}, null, it]),
    ...[16, null, '16', true].map((hints) => ['', { children: leaf, modal: leaf }, null, null, hints]),
    ...['x', null, 1].map((name) => ['', {}, null, null, 1, name]),
    ...[[], [''], ['', null], ['', { children: 1 }], ['', {}, null, null, 1, 'x', 2], {}, null, 'x', 5, [null, {}]],
  ];
  const headers = ['', '%', '%5B', '[', 'null', ...states.map((state) => encodeURIComponent(JSON.stringify(state)))];
  const wrong = headers.filter((header) => isRouterState(header) !== isReadByNext(header));
  expect(wrong.map(decodeURIComponent)).toEqual([]);
  expect(headers.filter(isRouterState).length).toBeGreaterThan(15);
});
