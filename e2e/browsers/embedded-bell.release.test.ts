import { afterAll, beforeAll, expect } from 'vitest';
import { type Tab, textsOf } from '#e2e/browsers/drive/tab.ts';
import {
  type Abilities,
  button,
  inEachBrowser,
  listTones,
  ringOnce,
  soon,
  soundShown,
  tonesOfRing,
  within20s,
} from '#e2e/browsers/portal.ts';
import { allow, openHostPage, shownAt } from '#e2e/support/browser/host-page.ts';
import { freePort, type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { makeFrameSecret } from '#server/accounts/sessions/bell-offer.ts';

const openFrame = async (tab: Tab) => {
  await expect.poll(() => tab.evaluate('document.documentElement.dataset.events'), soon).toMatch(/^count/);
  return tab.frame('staff-notifications');
};
const soundOf = (frame: Tab) =>
  frame.evaluate<string | null>(`document.querySelector('[data-sound]')?.dataset.sound ?? null`);

/** Sends, and expects the pop-up, the count and one ring of the bell. */
async function expectBellRings(abilities: Abilities, tab: Tab, frame: Tab, title: string) {
  const sends = await ringOnce(abilities, title, [frame]);
  await expect
    .poll(() => tab.evaluate('document.documentElement.dataset.events'), soon)
    .toMatch(new RegExp(`count ${sends}$`));
}

let other: Service;
beforeAll(async () => {
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const port = await freePort();
  const APP_URL = `http://127.0.0.1:${port}`;
  other = await startOrExplain({ DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', PORT: String(port), APP_URL });
});
afterAll(() => other?.stop());

inEachBrowser((test, name) => {
  test('the bell in a page of a sister host counts, pops up and rings', async (abilities) => {
    const { tab } = abilities;
    await using host = await openHostPage();
    await allow(abilities.company, host.sister);
    await abilities.signInAsEmployee();
    await tab.open(host.sister);
    const frame = await openFrame(tab);
    for (const _ of [1, 2]) await frame.press('.bell-button');
    await expect.poll(() => soundOf(frame), soon).toBe('on');
    await expectBellRings(abilities, tab, frame, 'Lonceng saudara');
  });

  // In WebKit only a press in a frame turns the sound of the frame on.
  const pressed = name === 'webkit' ? 'it was pressed' : 'the page was pressed (X32)';
  test(`the bell in an isolated page rings once ${pressed}`, async (abilities) => {
    const { tab } = abilities;
    await using host = await openHostPage({
      headers: { 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Opener-Policy': 'same-origin' },
    });
    await allow(abilities.company, host.sister);
    await abilities.signInAsEmployee();
    await tab.open(host.sister);
    const frame = await openFrame(tab);
    await expect.poll(() => soundOf(frame), soon).not.toBeNull();
    if (name === 'webkit') for (const _ of [1, 2]) await frame.press('.bell-button');
    else await tab.press('h1');
    await expect.poll(() => soundOf(frame), soon).toBe('on');
    await expectBellRings(abilities, tab, frame, 'Tekan halaman');
  });

  test('the link of a stranger, or a window that their page opens, asks nothing', async ({
    tab,
    profile,
    ...abilities
  }) => {
    const listed = 'https://hr.example.com';
    await allow(abilities.company, listed);
    await abilities.signInAsEmployee();
    // The stranger draws the secret of a frame, and the address says its hash.
    const { code } = makeFrameSecret();
    const address = `${abilities.base}/embed/sign-in?${new URLSearchParams({ code, origin: listed })}`;
    await using host = await openHostPage({ body: `<button onclick="window.open('${address}')">Main</button>` });
    const whatItAsks = async (opened: Tab) => [
      (await textsOf(opened, 'main p')).join(),
      await textsOf(opened, 'main button'),
    ];
    const nothing = [expect.stringContaining('Buka jendela ini dari lonceng'), []];
    await tab.open(address);
    await expect.poll(() => whatItAsks(tab), soon).toEqual(nothing);
    await tab.open(host.foreign);
    await tab.press('button');
    const window = async () => whatItAsks(await profile.openedTab());
    await expect.poll(() => window().catch(() => null), soon).toEqual(nothing);
  });

  test('a portal and the bell of a sister host, which two processes serve, ring once together (X31)', async (abilities) => {
    const { tab: portal, profile, company } = abilities;
    await using host = await openHostPage();
    await allow(company, host.sister);
    await abilities.signInAsEmployee(other.url);
    await expect.poll(() => soundShown(portal), soon).toBe('on');
    const tab = await profile.newTab();
    await tab.open(host.sister);
    const frame = await openFrame(tab);
    for (const _ of [1, 2]) await frame.press('.bell-button');
    await expect.poll(() => soundOf(frame), soon).toBe('on');
    const sends = await ringOnce(abilities, 'Bersama', [portal, frame]);
    await expect.poll(() => textsOf(frame, '.bell-button .unread-badge'), within20s).toEqual([String(sends)]);
    // Two rings at one moment are one for the loudspeaker. Firefox keeps its tones from a driver.
    const tones = async () => (await listTones([portal, frame])).length;
    await expect(expect.poll(tones, { timeout: 5000 }).toBeGreaterThan(sends * tonesOfRing)).rejects.toThrow();
  });

  test('a pop-up of a bell in a hidden tab stays, and counts as shown when the person looks', async (abilities) => {
    const { tab, company, send } = abilities;
    await using host = await openHostPage();
    await allow(company, host.sister);
    await abilities.signInAsEmployee();
    await tab.open(host.sister);
    const frame = await openFrame(tab);
    await tab.hide();
    await expect.poll(() => tab.evaluate('document.visibilityState'), soon).toBe('hidden');
    const sentAt = await send('Selagi tidak dilihat');
    const isGone = async () => (await textsOf(frame, '[data-pop-up]')).length === 0;
    await expect.poll(isGone, within20s).toBe(false);
    await expect.poll(() => performance.now() - sentAt, within20s).toBeGreaterThan(14_000);
    expect(await isGone()).toBe(false);
    expect(await shownAt(company)).toBeNull();
    await tab.show();
    await expect.poll(() => shownAt(company), soon).not.toBeNull();
    await expect.poll(isGone, within20s).toBe(true);
  });

  test('the bell in another site signs in by a window and rings, or says that the browser refuses it', async (abilities) => {
    const { tab } = abilities;
    await using host = await openHostPage();
    await allow(abilities.company, host.foreign);
    await abilities.signInAsEmployee();
    await tab.open(host.foreign);
    const frame = await openFrame(tab);
    await frame.press('.bell-button');
    await frame.press(button('Masuk'));
    const isOpen = async () => (await textsOf(await abilities.profile.openedTab(), 'main')).join();
    await expect.poll(() => isOpen().catch(() => ''), soon).toContain(new URL(host.foreign).host);
    const window = await abilities.profile.openedTab();
    // No press counts in its first half second.
    await expect.poll(() => window.evaluate('document.querySelector("main button").disabled'), soon).toBe(false);
    await window.press(button('Sambungkan lonceng'));
    const alerts = () => textsOf(frame, '[role=alert]');
    // WebKitGTK keeps no cookie for a frame of another site.
    if (name === 'webkit')
      return expect.poll(alerts, within20s).toEqual([expect.stringContaining('Browser ini tidak mengizinkan lonceng')]);
    await expect.poll(async () => soundOf(await openFrame(tab)).catch(() => null), within20s).toMatch(/on|click/);
    const connected = await openFrame(tab);
    for (const _ of [1, 2]) await connected.press('.bell-button');
    await expect.poll(() => soundOf(connected), soon).toBe('on');
    await expectBellRings(abilities, tab, connected, 'Lonceng lain');
  });
});
