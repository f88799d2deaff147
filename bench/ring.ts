import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { startEmbedded } from '#db/embedded.ts';
import { findBrowser } from '#e2e/browser.ts';
import type { Company } from '#e2e/fixtures/company.ts';
import { type PlainBrowser, startPlainBrowser } from '#e2e/fixtures/hidden.ts';
import { startBufferingProxy } from '#e2e/fixtures/proxy.ts';
import { freePort, type Service, startService } from '#e2e/fixtures/service.ts';
import { adopt } from '#server/env.ts';

// How long from a send's 200 to the pop-up and to the sound, in a Chromium as people run it: hidden tabs are slowed down. Every
// case has a company, a browser and a pace of its own; they run side by side. `npm run bench:ring -- 20` sets the rounds, a word after it
// takes only the cases whose name contains it.

const rounds = Number(process.argv[2] ?? 20);
const only = process.argv[3] ?? '';
// A chime may sound every 5 s; a jittered pace meets the poll at every phase.
const paceMs = () => 6000 + Math.random() * 5000;
const patienceMs = 60_000;
const password = 'kata sandi uji 123';

type Measured = { popUps: number[]; sounds: number[] };
type Stage = { service: Service; company: Company; key: string; plain: PlainBrowser; page: Page };
type Case = {
  name: string;
  through?: (service: Service) => Promise<{ url: string; stop: () => Promise<unknown> }>;
  run: (stage: Stage) => Promise<Measured>;
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function main(): Promise<void> {
  process.env.CHROMIUM_PATH ??= findBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'notif-ring-'));
  const database = await startEmbedded(folder);
  const settings = { DATABASE_URL: database.url, AUTH_SECRET: 'a secret of the bench, and of nothing else' };
  const start = (port: number) =>
    startService({ ...settings, HOST: '127.0.0.1', PORT: String(port), APP_URL: `http://127.0.0.1:${port}` });
  const service = await start(await freePort());
  adopt({ databaseUrl: database.url, authSecret: settings.AUTH_SECRET, appUrl: service.url });
  try {
    const cases: Case[] = [
      { name: 'tab in front, stream', run: sendInTurn },
      { name: 'tab hidden just now', run: hidden(0) },
      { name: 'tab hidden for over 2 minutes, slowed down', run: hidden(130_000) },
      { name: 'two tabs, the other one in front', run: besideAnother },
      { name: 'stream held back by a proxy, poll', through: ({ url }) => startBufferingProxy(url), run: sendInTurn },
      { name: 'leading tab frozen', run: frozenLeader },
      { name: 'service killed, sent meanwhile, started again', run: (stage) => restarted(stage, start) },
    ];
    const results = await Promise.all(
      cases
        .filter(({ name }) => name.includes(only))
        .map(async (one) => ({ name: one.name, ...(await measure(service, one)) })),
    );
    report(results);
  } finally {
    await service.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(service: Service, { through, run }: Case): Promise<Measured> {
  const { makeCompany } = await import('#e2e/fixtures/company.ts');
  const company = await makeCompany();
  const username = await company.giveAccount(await company.hire());
  const proxy = await through?.(service);
  const plain = await startPlainBrowser();
  const page = plain.context.pages()[0] ?? (await plain.context.newPage());
  await record(page);
  await signIn(page, proxy?.url ?? service.url, username);
  const key = await company.newKey('Sistem Uji');
  const measured = await run({ service, company, key, plain, page });
  await plain.stop();
  await proxy?.stop();
  return measured;
}

async function signIn(page: Page, base: string, username: string): Promise<void> {
  await page.goto(`${base}/login`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/portal$/);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.locator('h1').click();
}

type Recorded = { heard: number[]; shown: { at: number; text: string }[] };

// Notes in the page when a tone really starts and when the pop-ups change.
async function record(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const notes: Recorded = { heard: [], shown: [] };
    (window as unknown as { notes: Recorded }).notes = notes;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
      if (this.context.state === 'running') notes.heard.push(Date.now());
      start.call(this, at);
    };
    const look = () => {
      const text = document.querySelector('[data-sonner-toaster]')?.textContent ?? '';
      if (text !== notes.shown.at(-1)?.text) notes.shown.push({ at: Date.now(), text });
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  });
}

const readNotes = (page: Page) => page.evaluate(() => (window as unknown as { notes: Recorded }).notes);

async function send(url: string, key: string, title: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/notif.php`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ judul: title, isi: 'Isi' }),
  });
  if (response.status !== 200) throw new Error(`the send was answered ${response.status}`);
  return Date.now();
}

// The first change of the pop-ups after a send that shows its title, or one more in "… notifikasi baru".
async function awaitNews(pages: Page[], sentAt: number, title: string): Promise<{ popUp: number; sound: number }> {
  const found = { popUp: Number.NaN, sound: Number.NaN };
  const until = Date.now() + patienceMs;
  while (Date.now() < until && (Number.isNaN(found.popUp) || Number.isNaN(found.sound))) {
    for (const page of pages) {
      const { heard, shown } = await readNotes(page);
      const popUp = shown.find(
        ({ at, text }) =>
          at >= sentAt - 500 && (text.includes(title) || /\d (notifikasi baru|new notifications?)/.test(text)),
      );
      const sound = heard.find((at) => at >= sentAt - 500);
      if (popUp)
        found.popUp = Math.min(popUp.at - sentAt, Number.isNaN(found.popUp) ? Number.POSITIVE_INFINITY : found.popUp);
      if (sound)
        found.sound = Math.min(sound - sentAt, Number.isNaN(found.sound) ? Number.POSITIVE_INFINITY : found.sound);
    }
    await wait(50);
  }
  return found;
}

async function sendInTurn({ service, key, page, plain }: Stage): Promise<Measured> {
  const measured: Measured = { popUps: [], sounds: [] };
  for (let round = 1; round <= rounds; round++) {
    await wait(paceMs());
    const title = `Putaran ${round}.`;
    const { popUp, sound } = await awaitNews(
      plain.context.pages().filter((one) => one.url().includes('/portal') || one === page),
      await send(service.url, key, title),
      title,
    );
    measured.popUps.push(popUp);
    measured.sounds.push(sound);
  }
  return measured;
}

const hidden = (firstMs: number) => async (stage: Stage) => {
  const front = await stage.plain.context.newPage();
  await front.bringToFront();
  await wait(firstMs);
  if ((await stage.page.evaluate(() => document.visibilityState)) !== 'hidden')
    throw new Error('the tab is not hidden');
  return sendInTurn({ ...stage, plain: { ...stage.plain, context: stage.plain.context } });
};

async function besideAnother(stage: Stage): Promise<Measured> {
  const other = await stage.plain.context.newPage();
  await record(other);
  await other.goto(`${stage.service.url}/portal`);
  await other.bringToFront();
  await other.locator('h1').click();
  return sendInTurn(stage);
}

// Each round the leading tab stands still, then it is closed and another one opened.
async function frozenLeader(stage: Stage): Promise<Measured> {
  const measured: Measured = { popUps: [], sounds: [] };
  let leader = stage.page;
  for (let round = 1; round <= rounds; round++) {
    const next = await stage.plain.context.newPage();
    await record(next);
    await next.goto(`${stage.service.url}/portal`);
    await next.bringToFront();
    await next.locator('h1').click();
    await wait(3000 + Math.random() * 4000);
    const busy = leader.workers()[0]?.evaluate(() => {
      for (const until = Date.now() + 60_000; Date.now() < until; );
    });
    busy?.catch(() => {});
    const title = `Putaran ${round}.`;
    const { popUp, sound } = await awaitNews([leader, next], await send(stage.service.url, stage.key, title), title);
    measured.popUps.push(popUp);
    measured.sounds.push(sound);
    await leader.close();
    leader = next;
  }
  return measured;
}

async function restarted(
  { service, key, plain, page: first }: Stage,
  start: (port: number) => Promise<Service>,
): Promise<Measured> {
  const measured: Measured = { popUps: [], sounds: [] };
  const port = await freePort();
  let mortal = await start(port);
  const page = await plain.context.newPage();
  await record(page);
  // Cookies know no ports: the session holds here too.
  await page.goto(`${mortal.url}/portal`);
  await page.locator('h1').click();
  await first.close();
  for (let round = 1; round <= rounds; round++) {
    await wait(paceMs());
    await mortal.stop('SIGKILL');
    const title = `Putaran ${round}.`;
    const sentAt = await send(service.url, key, title);
    mortal = await start(port);
    const { popUp, sound } = await awaitNews([page], sentAt, title);
    measured.popUps.push(popUp);
    measured.sounds.push(sound);
  }
  await mortal.stop();
  return measured;
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);
const sorted = (values: number[]) => values.toSorted((a, b) => a - b);
const median = (values: number[]) => seconds(sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN);
const worst = (values: number[]) => seconds(Math.max(...values));

function report(results: ({ name: string } & Measured)[]): void {
  process.stdout.write(
    '| Case | sends | pop-up p50 | pop-up max | sound p50 | sound max |\n|---|---|---|---|---|---|\n',
  );
  for (const { name, popUps, sounds } of results)
    process.stdout.write(
      `| ${name} | ${popUps.length} | ${median(popUps)} s | ${worst(popUps)} s | ${median(sounds)} s | ${worst(sounds)} s |\n`,
    );
}

await main();
