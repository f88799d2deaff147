import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asBuildId, stampFile } from '#platform/config/build.ts';
import { openAssets, storeBuild } from '#server/front/build-files.ts';
import { newRequestId } from '#server/request-id.ts';
import { compressFolder } from '#server/runtime/build-pages.ts';

const script = `// ${'sama '.repeat(1000)}`;
let build: string;
let folder: string;
// Has no file of the build.
let empty: string;
let server: Server;
let base: string;
// The names of files contain a hash of their contents.
let chunk: string;

beforeEach(async () => {
  const sources = createHash('sha256').update(newRequestId()).digest('hex');
  build = asBuildId(sources);
  chunk = `chunks/${build}`;
  folder = await mkdtemp(join(tmpdir(), 'notif-build-'));
  empty = await mkdtemp(join(tmpdir(), 'notif-empty-'));
  await mkdir(join(folder, 'static', 'chunks'), { recursive: true });
  await writeFile(join(folder, stampFile), sources);
  await writeFile(join(folder, 'static', `${chunk}.js`), script);
  await writeFile(join(folder, 'static', `${chunk}.css`), 'p {}');
  await compressFolder(join(folder, 'static'));
  await serve(empty);
});

afterEach(async () => {
  server.close();
  await sql()`delete from build_files where build = ${build}`;
  for (const made of [folder, empty]) await rm(made, { recursive: true, force: true });
});

async function serve(files: string): Promise<void> {
  const answerAsset = await openAssets(files);
  server?.close();
  server = createServer(async (request, response) => {
    if (!(await answerAsset(request, response))) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_next/static`;
}

const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(`${base}/${path}`, init)).status;

test('a file that a later build removed is still served; other files and methods are not answered', async () => {
  await serve(join(folder, 'static'));
  for (const path of ['none.js', '../first.js', `${chunk}.js.br`, '']) expect(await statusOf(path), path).toBe(404);
  expect(await statusOf(`${chunk}.js`, { method: 'POST' })).toBe(404);
  const { headers } = await fetch(`${base}/${chunk}.js`, { method: 'HEAD' });
  expect(headers.get('vary')).toBe('Accept-Encoding');
  await rm(join(folder, 'static'), { recursive: true });
  expect(await (await fetch(`${base}/${chunk}.js`)).text()).toBe(script);
});

test('a process serves the files of a version that it does not have, compressed or not', async () => {
  expect(await statusOf(`${chunk}.js`)).toBe(404);
  await storeBuild(folder);
  for (const encoding of ['gzip', 'identity']) {
    const response = await fetch(`${base}/${chunk}.js`, { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await response.text()).toBe(script);
  }
  expect(await (await fetch(`${base}/${chunk}.css`)).text()).toBe('p {}');
});

test('a file that was changed in the database is not served', async () => {
  await storeBuild(folder);
  await sql()`
    update build_files set content = 'alert(1)'::bytea, is_gzip = false where path = ${`${chunk}.js`}`;
  expect([await statusOf(`${chunk}.js`), await statusOf(`${chunk}.css`)]).toEqual([404, 200]);
});

test('a start renews the files of a build, so that they do not expire, and signs them with a new secret', async () => {
  await storeBuild(folder);
  await sql()`
    update build_files set signature = sha256(signature), seen_at = now() - interval '8 days' where build = ${build}`;
  expect(await statusOf(`${chunk}.js`)).toBe(404);
  await storeBuild(folder);
  expect(await statusOf(`${chunk}.js`)).toBe(200);
  const recent = sql()`select from build_files where build = ${build} and seen_at > now() - interval '1 hour'`;
  expect(await recent).toHaveLength(2);
});
