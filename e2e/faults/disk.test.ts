import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { SendLog, seedCompany } from '#e2e/faults/send-log.ts';
import { ping } from '#e2e/support/http/pings.ts';
import { lacks } from '#e2e/support/programs.ts';
import { root, startService } from '#e2e/support/service/service.ts';

/** A PostgreSQL on its own file system of 400 MB. The commands are "fill" and "free". */
async function startOnSmallDisk(folder: string) {
  const host = join(root, 'e2e', 'faults', 'small-disk.ts');
  const mount = 'mount -t tmpfs -o size=400m tmpfs "$1" && exec "$2" "$3" "$1"';
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const child: ChildProcess = spawn(
    'unshare',
    [...asRoot, '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mount, 'sh', folder, process.execPath, host],
    // An inherited stderr would keep the output of this run open.
    { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const [url = '', ownerUrl = '', adminUrl = ''] = String((await lines.next()).value).split(' ');
  return {
    url,
    ownerUrl,
    adminUrl,
    tell: async (order: string) => {
      child.stdin?.write(`${order}\n`);
      expect((await lines.next()).value).toBe(order);
    },
    // On a full disk it may be unable to shut down. All its processes end with the first one.
    end: async () => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('with a full disk sends get 503, nothing is half written, and it recovers (X10)', async ({ skip }) => {
  skip(lacks('unshare'));
  const folder = await mkdtemp(join(tmpdir(), 'notif-disk-'));
  const database = await startOnSmallDisk(folder);
  onTestFinished(async () => {
    await database.end();
    await rm(folder, { recursive: true, force: true });
  });
  const roles = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl };
  const service = await startService({ ...roles, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', LOG_LEVEL: 'fatal' });
  const admin = postgres(database.adminUrl, { max: 1, onnotice: () => {} });
  const company = await seedCompany(admin, { employees: 10, keys: 200 });
  const sendLog = new SendLog();
  const send = async () => (await sendLog.attempt(service.url, sendLog.plan([company]))).status;
  expect(await send()).toBe(200);
  await database.tell('fill');
  // PostgreSQL uses up preallocated space first.
  await expect.poll(send, { timeout: 60_000, interval: 1 }).toBe(503);
  const pings: number[] = [];
  for (let count = 0; count < 20; count++) {
    expect([200, 503]).toContain(await send());
    pings.push((await ping(service.url, company.keys[count] ?? '')).status);
  }
  await database.tell('free');
  await expect.poll(send, { timeout: 30_000, interval: 50 }).toBe(200);
  await service.stop();
  await sendLog.expectWhole(admin);
  await admin.end();
  expect(pings.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});
