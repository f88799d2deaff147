import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Assets, openAssets } from '#server/front/static-files.ts';
import { compressFolder } from '#server/runtime/build.ts';

const script = `// ${'sama '.repeat(1000)}`;
let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-assets-'));
  await writeFile(join(folder, 'first.js'), script);
  await compressFolder(folder);
  server = await serve(await openAssets(folder));
  base = addressOf(server);
});

async function serve(answer: Assets): Promise<Server> {
  const served = createServer(async (request, response) => {
    if (!(await answer(request, response))) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => served.listen(0, '127.0.0.1', resolve));
  return served;
}

const addressOf = (served: Server) => `http://127.0.0.1:${(served.address() as AddressInfo).port}/_next/static`;

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

test('a file that a later build removed is still served', async () => {
  await rm(join(folder, 'first.js'));
  expect(await (await fetch(`${base}/first.js`)).text()).toBe(script);
});

test('other files and other methods are not answered', async () => {
  for (const path of ['/none.js', '/../first.js', '/first.js.br', '/'])
    expect((await fetch(base + path)).status, path).toBe(404);
  expect((await fetch(`${base}/first.js`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${base}/first.js`, { method: 'HEAD' })).headers.get('vary')).toBe('Accept-Encoding');
});

test('a file that is still being read from another version is waited for', async () => {
  const late = await mkdtemp(join(tmpdir(), 'notif-late-'));
  const file = { path: 'late.js', isGzip: false, content: Buffer.from(script) };
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let calls = 0;
  const findOthers = async () => {
    if (++calls > 1) return [];
    begin();
    // Longer than the time between two scans.
    await sleep(1500);
    return [file];
  };
  const slow = await serve(await openAssets(late, findOthers));
  const statusOf = async () => (await fetch(`${addressOf(slow)}/late.js`)).status;
  const first = statusOf();
  await begun;
  expect([await statusOf(), await first]).toEqual([200, 200]);
  slow.close();
  await rm(late, { recursive: true });
});
