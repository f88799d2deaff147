import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { Measured } from '#bench/report.ts';
import { findBrowser } from '#e2e/support/browser/find-browser.ts';
import { type PlainBrowser, startPlainBrowser } from '#e2e/support/browser/hidden-tab.ts';
import { enterDatabase } from '#e2e/support/data/callers.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { summarise } from '#e2e/support/figures.ts';
import { startBufferingProxy } from '#e2e/support/proxies/proxy.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';
import type { Stage } from '#e2e/support/service/stage.ts';

// The sound plays every 5 s at most. Random pauses meet the poll's interval at every phase.
const paceMs = () => 6000 + Math.random() * 5000;
const rounds = 7;
const maxWaitMs = 60_000;
const password = 'kata sandi uji 123';

type Noted = { popUps: number[]; sounds: number[] };
type Scene = { service: Service; company: Company; key: string; plain: PlainBrowser; page: Page };
type Case = {
  name: string;
  goal?: { atMost: number };
  through?: (service: Service) => Promise<{ url: string; stop: () => Promise<unknown> }>;
  run: (scene: Scene) => Promise<Noted>;
};

/**
 * P9: seconds from a send's 200 to the pop-up and the sound, in a Chromium that throttles hidden
 * tabs as usual. Each case has its own company and browser; all run side by side, for some minutes.
 */
export async function measureRing(stage: Stage): Promise<Measured[]> {
  process.env.CHROMIUM_PATH ??= findBrowser().path;
  const { url } = await stage.createDatabase();
  const service = await stage.startFront(url);
  await enterDatabase(url);
  const start = (port: number) =>
    startService({ ...stage.settingsOf(url), PORT: String(port), APP_URL: `http://127.0.0.1:${port}` });
  const cases: Case[] = [
    { name: 'tab in front, stream', goal: { atMost: 1 }, run: sendInTurn },
    { name: 'tab hidden just now', run: hidden(0) },
    { name: 'tab hidden for over 2 minutes, slowed down', run: hidden(130_000) },
    { name: 'two tabs, the other one in front', run: besideAnother },
    {
      name: 'stream held back by a proxy, poll',
      goal: { atMost: 13 },
      through: ({ url: behind }) => startBufferingProxy(behind),
      run: sendInTurn,
    },
    { name: 'leading tab frozen', run: frozenLeader },
    { name: 'service killed, sent meanwhile, started again', run: (scene) => restarted(scene, start) },
  ];
  const noted = await Promise.all(cases.map(async (one) => ({ one, ...(await watch(service, one)) })));
  return noted.map(({ one, popUps, sounds }) => describe(one, popUps, sounds));
}

// The product promises 20 s for each notification, so the value is the slowest one.
function describe({ name, goal = { atMost: 20 } }: Case, popUps: number[], sounds: number[]): Measured {
  const inSeconds = summarise(popUps.map((ms) => ms / 1000));
  const sound = summarise(sounds.map((ms) => ms / 1000));
  const note = `slowest; pop-up p50 ${inSeconds.value.toFixed(2)} s, sound p50 ${sound.value.toFixed(2)} s, max ${sound.max.toFixed(2)} s`;
  return { id: 'P9', what: `send → pop-up: ${name}`, unit: 's', goal, ...inSeconds, value: inSeconds.max, note };
}

async function watch(service: Service, { through, run }: Case): Promise<Noted> {
  const { makeCompany } = await import('#e2e/support/data/company.ts');
  const company = await makeCompany();
  const username = await company.giveAccount(await company.hire());
  const proxy = await through?.(service);
  const plain = await startPlainBrowser();
  const page = plain.context.pages()[0] ?? (await plain.context.newPage());
  await record(page);
  await signIn(page, proxy?.url ?? service.url, username);
  const key = await company.newKey('Sistem Uji');
  const noted = await run({ service, company, key, plain, page });
  await plain.stop();
  await proxy?.stop();
  return noted;
}

async function signIn(page: Page, base: string, username: string): Promise<void> {
  await page.goto(`${base}/login`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/portal\/notifications$/);
  // Not the list: from four new notifications on, it shows a count instead of a summary pop-up.
  await page.goto(`${base}/portal/settings`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.locator('h1').click();
}

type Recorded = { heard: number[]; shown: { at: number; text: string }[] };

// Records in the page when a tone starts and when the pop-ups change.
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

// Notes the first pop-up with the title (or a higher count of new notifications) and the first sound.
// Records Infinity for what does not come within a minute.
async function note(noted: Noted, pages: Page[], title: string, sentAt: number): Promise<void> {
  let [popUps, sounds]: [number[], number[]] = [[], []];
  const isNew = (text: string) => text.includes(title) || /\d (notifikasi baru|new notifications?)/.test(text);
  const until = Date.now() + maxWaitMs;
  while (Date.now() < until && (popUps.length === 0 || sounds.length === 0)) {
    await wait(50);
    const notes = await Promise.all(pages.map(readNotes));
    const isLate = (at: number) => at >= sentAt - 500;
    popUps = notes.flatMap(({ shown }) =>
      shown.filter(({ at, text }) => isLate(at) && isNew(text)).map(({ at }) => at),
    );
    sounds = notes.flatMap(({ heard }) => heard.filter(isLate));
  }
  noted.popUps.push(Math.min(...popUps) - sentAt);
  noted.sounds.push(Math.min(...sounds) - sentAt);
}

async function sendInTurn({ service, key, page, plain }: Scene): Promise<Noted> {
  const noted: Noted = { popUps: [], sounds: [] };
  for (let round = 1; round <= rounds; round++) {
    await wait(paceMs());
    const title = `Putaran ${round}.`;
    const pages = plain.context.pages().filter((one) => one.url().includes('/portal') || one === page);
    await note(noted, pages, title, await send(service.url, key, title));
  }
  return noted;
}

const hidden = (firstMs: number) => async (scene: Scene) => {
  const front = await scene.plain.context.newPage();
  await front.bringToFront();
  await wait(firstMs);
  if ((await scene.page.evaluate(() => document.visibilityState)) !== 'hidden')
    throw new Error('the tab is not hidden');
  return sendInTurn(scene);
};

async function openPortal({ plain, service }: Scene, url = service.url): Promise<Page> {
  const page = await plain.context.newPage();
  await record(page);
  await page.goto(`${url}/portal`);
  await page.bringToFront();
  await page.locator('h1').click();
  return page;
}

async function besideAnother(scene: Scene): Promise<Noted> {
  await openPortal(scene);
  return sendInTurn(scene);
}

// In each round the leading tab freezes; then it is closed and another one opened.
async function frozenLeader(scene: Scene): Promise<Noted> {
  const noted: Noted = { popUps: [], sounds: [] };
  let leader = scene.page;
  for (let round = 1; round <= rounds; round++) {
    const next = await openPortal(scene);
    await wait(3000 + Math.random() * 4000);
    const busy = leader.workers()[0]?.evaluate(() => {
      for (const until = Date.now() + 60_000; Date.now() < until; );
    });
    busy?.catch(() => {});
    const title = `Putaran ${round}.`;
    await note(noted, [leader, next], title, await send(scene.service.url, scene.key, title));
    await leader.close();
    leader = next;
  }
  return noted;
}

async function restarted(scene: Scene, start: (port: number) => Promise<Service>): Promise<Noted> {
  const noted: Noted = { popUps: [], sounds: [] };
  const port = await freePort();
  let mortal = await start(port);
  // Cookies are per host, not per port: the session is valid here too.
  const page = await openPortal(scene, mortal.url);
  await scene.page.close();
  for (let round = 1; round <= rounds; round++) {
    await wait(paceMs());
    await mortal.stop('SIGKILL');
    const title = `Putaran ${round}.`;
    const sentAt = await send(scene.service.url, scene.key, title);
    mortal = await start(port);
    await note(noted, [page], title, sentAt);
  }
  await mortal.stop();
  return noted;
}
