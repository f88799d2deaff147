import { afterAll, beforeAll, describe, expect, test as plain } from 'vitest';
import { startChromium } from '#e2e/browsers/drive/chromium.ts';
import { startFirefox } from '#e2e/browsers/drive/firefox.ts';
import { attributeOf, type Driven, type Profile, pathOf, type Tab, textOf, textsOf } from '#e2e/browsers/drive/tab.ts';
import { startWebKit } from '#e2e/browsers/drive/webkit.ts';
import type { Network } from '#e2e/browsers/network/network.ts';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { rounds } from '#e2e/support/figures.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { lacks, type Program } from '#e2e/support/programs.ts';

/** The browsers of these tests. Most tests of Chromium are in e2e/portal. */
export type BrowserName = 'chromium' | 'firefox' | 'webkit';

const needed: Program[] = ['xvfb', 'openbox', 'pulseaudio', 'setpriv'];
const browsers = {
  chromium: { start: startChromium, needs: ['chromium', ...needed] },
  firefox: { start: startFirefox, needs: ['firefox-esr', ...needed] },
  webkit: { start: startWebKit, needs: ['webkit2gtk-driver', ...needed] },
} satisfies Record<BrowserName, { start: () => Promise<Driven>; needs: Program[] }>;

/** Chromium and Firefox behind a network of a test, and the programs that this needs. */
export const behindNetwork = {
  chromium: { start: startChromium, needs: [...browsers.chromium.needs, 'ip', 'unshare'] },
  firefox: { start: startFirefox, needs: [...browsers.firefox.needs, 'ip', 'unshare'] },
} satisfies Record<string, { start: (network: Network) => Promise<Driven>; needs: Program[] }>;

/** What a test in a browser can do: it has a company, a fresh profile and an empty tab of it. */
export type Abilities = {
  browser: Driven;
  name: BrowserName;
  company: Company;
  profile: Profile;
  tab: Tab;
  base: string;
  signInAsEmployee: (base?: string, tab?: Tab) => Promise<void>;
  /** Signs in through the form, with real presses and keys, and waits for the first page. */
  signIn: (username: string, base?: string, tab?: Tab) => Promise<void>;
  /** Sends over the public interface. Returns when the request began (`performance.now()`). */
  send: (title: string, fields?: Record<string, unknown>) => Promise<number>;
};

type Case = (title: string, use: (abilities: Abilities) => Promise<void>) => void;

/** Defines the same tests for Firefox and WebKitGTK. Each browser starts once for the file, on a desktop of its own. */
export function inEachBrowser(define: (test: Case, name: BrowserName) => void): void {
  for (const name of ['firefox', 'webkit'] as const)
    describe.skipIf(lacks(...browsers[name].needs))(name, () => {
      let browser: Driven;
      beforeAll(async () => {
        browser = await browsers[name].start();
      });
      afterAll(async () => {
        await browser?.stop();
      });
      const test: Case = (title, use) =>
        plain(title, { repeats: rounds(1, 10) - 1 }, async () => {
          const profile = await browser.newProfile();
          try {
            await use(await prepare(browser, name, profile));
          } finally {
            await profile.close();
          }
        });
      define(test, name);
    });
}

export async function prepare(browser: Driven, name: BrowserName, profile: Profile): Promise<Abilities> {
  const [company, tab] = await Promise.all([makeCompany(), profile.newTab()]);
  const base = String(process.env.SERVICE_URL);
  let key: Promise<string> | undefined;
  const signIn: Abilities['signIn'] = async (username, at = base, where = tab) => {
    await where.open(`${at}/login`);
    await where.type('[name=username]', username);
    await where.type('[name=password]', password);
    await where.press('button[type=submit]');
    await expect.poll(() => pathOf(where), soon).toMatch(/^\/(owner|portal\/notifications)$/);
    await expect.poll(() => where.evaluate('document.documentElement.dataset.ready !== undefined'), soon).toBe(true);
  };
  return {
    browser,
    name,
    company,
    profile,
    tab,
    base,
    signIn,
    signInAsEmployee: async (at, where) => {
      await signIn(await company.giveAccount(await company.hire()), at, where);
    },
    send: async (judul, fields = {}) => {
      key ??= company.newKey('Sistem Uji');
      const own = await key;
      const began = performance.now();
      expect((await sendTo(base, own, { judul, isi: 'Isi', ...fields })).status).toBe(200);
      return began;
    },
  };
}

/** The locator of a button by its text. All browsers show Indonesian, the default language. */
export const button = (text: string): string => `//button[normalize-space()=${JSON.stringify(text)}]`;

/** Options of `expect.poll` for what a page does at once, on a busy machine. */
export const soon = { timeout: 20_000, interval: 50 };

export const within20s = { timeout: 20_000, interval: 20 };

/** The texts of the pop-ups on a page of the portal, or in a bell. */
export const popUps = (tab: Tab): Promise<string[]> => textsOf(tab, '[data-sonner-toast], .entry[data-pop-up]');

/** What the line at the foot of the page says; empty when all is well. */
export const statusBar = async (tab: Tab): Promise<string> => (await textOf(tab, '.status-bar')) ?? '';

/** The state of the sound, as the page shows it (`data-sound`), or null where it shows none. */
export const soundShown = (tab: Tab): Promise<string | null> => attributeOf(tab, '[data-sound]', 'data-sound');

export async function unread(tab: Tab): Promise<number> {
  const label = (await textOf(tab, '.frame-bell > a')) ?? '';
  return Number(/(\d+) belum/.exec(label)?.[1] ?? 0);
}

const maxSends = 3;

/** Sends; expects one pop-up and one heard ring within 20 s. Sends again if a busy machine lost the sound. */
export async function ringOnce({ browser: { desktop }, send, tab }: Abilities, title: string, tabs: Tab[] = [tab]) {
  await Promise.all(tabs.map(watchTones));
  for (let sends = 1; ; sends++) {
    const before = desktop.rings().length;
    const tonesBefore = await listTones(tabs);
    const name = sends === 1 ? title : `${title} (${sends})`;
    await send(name);
    try {
      await expectRing(desktop.rings, { title: name, before }, tabs);
      return sends;
    } catch (error) {
      const tones = (await listTones(tabs)).slice(tonesBefore.length);
      const isLost = tones.length === tonesOfRing && tones.every((state) => state === 'running');
      if (!isLost || desktop.rings().length > before || sends === maxSends) throw error;
      process.stdout.write(`The sound of a ring was lost behind the page: ${String(error)}\n`);
    }
  }
}

export const tonesOfRing = 2;

/** Notes the state of the sound at each tone that a page plays from now on, until it is left. */
export const watchTones = (tab: Tab) =>
  tab.evaluate(`void (() => {
    if ('tones' in window) return;
    window.tones = [];
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (...when) {
      window.tones.push(this.context.state);
      return start.apply(this, when);
    };
  })()`);

/** The states that `watchTones` noted on several pages. */
export const listTones = async (tabs: Tab[]) =>
  (await Promise.all(tabs.map((tab) => tab.evaluate<string[]>('window.tones ?? []')))).flat();

export async function expectRing(
  rings: () => number[],
  { title, before }: { title: string; before: number },
  tabs: Tab[],
): Promise<void> {
  const shown = async () => (await Promise.all(tabs.map(popUps))).flat().filter((text) => text.includes(title)).length;
  await expect.poll(shown, within20s).toBe(1);
  await expect
    .poll(() => rings().length, soon)
    .toBe(before + 1)
    .catch(async (error) => {
      const state = `[document.visibilityState, document.hasFocus(), document.querySelector('[data-sound]')?.dataset.sound, window.tones]`;
      const states = JSON.stringify(await Promise.all(tabs.map((tab) => tab.evaluate(state))));
      throw new Error(`${title}: ${before} rings before, ${rings().length} now; pages: ${states}`, { cause: error });
    });
}
