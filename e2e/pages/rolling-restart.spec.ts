import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { sql } from '#db/client.ts';
import { askProxy, begin, proxyName, startProxy, type TlsProxy } from '#e2e/machines/tls-proxy.ts';
import { countTones, expect, submitAccount, test } from '#e2e/support/browser/browser.ts';
import { bell, expectSoundOn } from '#e2e/support/browser/portal-pages.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { keepReading } from '#e2e/support/http/open-streams.ts';
import { lacks } from '#e2e/support/programs.ts';
import { besideTested, freePort, root, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { runWithSystemctl } from '#e2e/support/service/systemctl.ts';

type Sent = { title: string; status: number };

async function send(proxy: TlsProxy, key: string, title: string, more: { headers?: object; agent?: Agent } = {}) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', ...more.headers };
  const body = JSON.stringify({ judul: title, isi: 'Isi' });
  const asked = { method: 'POST', headers, body, ...(more.agent ? { agent: more.agent } : {}) };
  return (await askProxy(proxy, '/api/v1/notif.php', asked).catch(() => ({ status: 0 }))).status;
}

// Five sends a second, each with a key below its 60 calls a minute.
async function keepSending(proxy: TlsProxy, keys: string[], isOnce: boolean, isOver: () => boolean): Promise<Sent[]> {
  const sent: Sent[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; !isOver(); turn++) {
    const title = randomUUID();
    const headers = isOnce ? { 'Idempotency-Key': title } : {};
    sent.push({ title, status: await send(proxy, keys[turn % keys.length] ?? '', title, { headers, agent }) });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  agent.destroy();
  return sent;
}

async function startReader(proxy: TlsProxy, company: Company, isOver: () => boolean) {
  const Cookie = `__Host-${await openSessionOf(await company.giveAccount(await company.hire()))}`;
  return keepReading((after) => begin(proxy, `/portal/stream?after=${after}`, { headers: { Cookie } }), isOver);
}

/** Runs the loop of docs/upgrading.md with another `systemctl`, which calls `restart` with the port. */
async function restartAsDocumented(ports: number[], restart: (port: number) => Promise<void>): Promise<void> {
  const page = await readFile(join(root, 'docs', 'upgrading.md'), 'utf8');
  const lines = /^for port in 3001 3002; do\n[\s\S]*?^done$/m.exec(page)?.[0] ?? 'exit 1';
  await runWithSystemctl(lines.replace('3001 3002', ports.join(' ')), restart);
}

test('behind nginx a rolling restart loses no call and rings nothing twice (X8)', async ({ visit }) => {
  if (lacks('nginx', 'curl')) return;
  test.setTimeout(180_000);
  const ports = [await freePort(), await freePort()];
  const settings = { ...besideTested, APP_URL: `https://${proxyName}` };
  const start = (port: number) => startOrExplain({ ...settings, PORT: String(port) });
  const services = new Map<number, Promise<Service>>(ports.map((port) => [port, start(port)]));
  await Promise.all(services.values());
  const proxy = await startProxy('nginx', ...ports);
  let isOver = false;
  let isRead = false;
  try {
    const [busy, quiet] = [await makeCompany(), await makeCompany()];
    const readers = await Promise.all([1, 2, 3].map(() => startReader(proxy, busy, () => isRead)));
    const page = await visit({ baseURL: `https://localhost:${proxy.port}`, ignoreHTTPSErrors: true });
    const countNow = await countTones(page);
    await page.goto('/login');
    await submitAccount(page, await quiet.giveAccount(await quiet.hire()));
    await expectSoundOn(page);
    const key = await quiet.newKey();
    const ring = async (unread: number) => {
      const before = await countNow();
      expect(await send(proxy, key, `Kabar ${unread}`)).toBe(200);
      await expect(bell(page, unread)).toBeVisible({ timeout: 20_000 });
      await page.waitForTimeout(3000);
      return (await countNow()) - before;
    };
    const tones = await ring(1);
    expect(tones).toBeGreaterThan(0);
    await page.evaluate(() => Object.assign(window, { stays: true }));

    const clients: Promise<Sent[]>[] = [];
    for (const isOnce of [true, false, true, false])
      clients.push(keepSending(proxy, await busy.newKeys(8), isOnce, () => isOver));
    let during = 0;
    await restartAsDocumented(ports, async (port) => {
      await (await services.get(port))?.stop('SIGTERM');
      services.set(port, start(port));
      if (port === ports[0]) during = await ring(2);
    });
    const after = await ring(3);
    expect([during, after], 'tones').toEqual([tones, tones]);
    await page.getByRole('link', { name: 'Suara', exact: true }).click();
    await expect(page).toHaveURL(/\/portal\/settings/);
    expect(await page.evaluate(() => 'stays' in window), 'the page was not loaded again').toBe(true);

    isOver = true;
    const sent = (await Promise.all(clients)).flat();
    expect(sent.length).toBeGreaterThan(40);
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
    const { companyId } = busy.owner;
    const stored = await sql()<{ no: number; title: string }[]>`
      select no, title from notifications where company_id = ${companyId} order by no`;
    expect(stored.map(({ title }) => title).toSorted()).toEqual(sent.map(({ title }) => title).toSorted());
    for (const { numbers } of readers) await expect.poll(() => numbers).toEqual(stored.map(({ no }) => no));
    expect(readers.filter(({ openings }) => openings < 2)).toEqual([]);
  } finally {
    isOver = true;
    isRead = true;
    await proxy.stop();
    for (const service of services.values()) await (await service).stop();
  }
});
