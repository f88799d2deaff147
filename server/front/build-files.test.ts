import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asBuildId, stampFile } from '#platform/config/build.ts';
import { findOtherBuilds, storeBuild } from '#server/front/build-files.ts';
import { openAssets } from '#server/front/static-files.ts';
import { newRequestId } from '#server/request-id.ts';
import { compressFolder } from '#server/runtime/build.ts';

const script = `// ${'sama '.repeat(1000)}`;
let sources: string;
let build: string;
let folder: string;

beforeEach(async () => {
  sources = createHash('sha256').update(newRequestId()).digest('hex');
  build = asBuildId(sources);
  folder = await mkdtemp(join(tmpdir(), 'notif-build-'));
  await mkdir(join(folder, 'static', 'chunks'), { recursive: true });
  await writeFile(join(folder, stampFile), sources);
  await writeFile(join(folder, 'static', 'chunks', 'a.js'), script);
  await writeFile(join(folder, 'static', 'chunks', 'b.css'), 'p {}');
  await compressFolder(join(folder, 'static'));
});

afterEach(async () => {
  await sql()`delete from build_files where build = ${build}`;
  await rm(folder, { recursive: true, force: true });
});

// The files of this test's build. The database may have others.
async function findStored(): Promise<Record<string, string>> {
  const others = await sql()<{ build: string }[]>`select distinct build from build_files where build <> ${build}`;
  const files = await findOtherBuilds(new Set(others.map((one) => one.build)));
  const textOf = (isGzip: boolean, content: Buffer) => String(isGzip ? gunzipSync(content) : content);
  return Object.fromEntries(files.map(({ path, isGzip, content }) => [path, textOf(isGzip, content)]));
}

async function serve(assets: Awaited<ReturnType<typeof openAssets>>): Promise<Server & { base: string }> {
  const server = createServer(async (request, response) => {
    if (!(await assets(request, response))) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_next/static`;
  return Object.assign(server, { base });
}

test('a machine serves the files of a build that it does not have, compressed or not', async () => {
  const own = await mkdtemp(join(tmpdir(), 'notif-own-'));
  const known = new Set<string>();
  const server = await serve(await openAssets(own, () => findOtherBuilds(known)));
  try {
    expect((await fetch(`${server.base}/chunks/a.js`)).status).toBe(404);
    // The next request comes before others may be asked again. It waits.
    await storeBuild(folder);
    for (const encoding of ['gzip', 'identity']) {
      const response = await fetch(`${server.base}/chunks/a.js`, { headers: { 'accept-encoding': encoding } });
      expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await response.text()).toBe(script);
    }
    expect(await (await fetch(`${server.base}/chunks/b.css`)).text()).toBe('p {}');
  } finally {
    server.close();
    await rm(own, { recursive: true, force: true });
  }
});

test('a file that was changed in the database is not served', async () => {
  await storeBuild(folder);
  await sql()`
    update build_files set content = 'alert(1)'::bytea, is_gzip = false where build = ${build} and path = 'chunks/a.js'`;
  expect(await findStored()).toEqual({ 'chunks/b.css': 'p {}' });
});

test('files that were signed with a secret of before are signed again at the start', async () => {
  await storeBuild(folder);
  await sql()`update build_files set signature = sha256(signature) where build = ${build}`;
  expect(await findStored()).toEqual({});
  await storeBuild(folder);
  expect(await findStored()).toEqual({ 'chunks/a.js': script, 'chunks/b.css': 'p {}' });
});

test('a build that is served is renewed, so that its files do not expire', async () => {
  await storeBuild(folder);
  await sql()`update build_files set seen_at = now() - interval '8 days' where build = ${build}`;
  await storeBuild(folder);
  expect(
    await sql()`select 1 from build_files where build = ${build} and seen_at > now() - interval '1 hour'`,
  ).toHaveLength(2);
});
