import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAssets } from '#server/front/static-files.ts';
import { compressFolder } from '#server/runtime/compress.ts';

const script = `// ${'sama '.repeat(1000)}`;
let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-assets-'));
  await writeFile(join(folder, 'first.js'), script);
  await compressFolder(folder);
  const answer = await openAssets(folder);
  server = createServer(async (request, response) => {
    if (!(await answer(request, response))) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_next/static`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

test('a file that a later build removed is still served, and one that it added is found', async () => {
  await rm(join(folder, 'first.js'));
  await writeFile(join(folder, 'second.js'), script);
  expect(await (await fetch(`${base}/first.js`)).text()).toBe(script);
  const found = async () => (await fetch(`${base}/second.js`)).status;
  await expect.poll(found, { timeout: 5000, interval: 200 }).toBe(200);
});

test('other files and other methods are not answered', async () => {
  for (const path of ['/none.js', '/../first.js', '/first.js.br', '/'])
    expect((await fetch(base + path)).status, path).toBe(404);
  expect((await fetch(`${base}/first.js`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${base}/first.js`, { method: 'HEAD' })).headers.get('vary')).toBe('Accept-Encoding');
});
