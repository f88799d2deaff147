import { expect } from 'vitest';
import {
  type Abilities,
  inEachBrowser,
  popUps,
  ringOnce,
  soon,
  soundShown,
  statusBar,
  unread,
} from '#e2e/browsers/portal.ts';
import { openHostPage } from '#e2e/support/browser/host-page.ts';

// It takes 0.3 s. A page that waits for a lock in the back/forward cache hears nothing for 8 s.
const maxMs = 6000;

// Sends, and returns the milliseconds until the pop-up.
async function untilPopUp({ tab, send }: Pick<Abilities, 'tab' | 'send'>, title: string): Promise<number> {
  const began = await send(title);
  await expect.poll(async () => (await popUps(tab)).join(), soon).toContain(title);
  return performance.now() - began;
}

inEachBrowser((test, name) => {
  test('after each full load the next notification pops up at once', async ({ tab, base, signInAsEmployee, send }) => {
    await signInAsEmployee();
    for (const path of ['/portal/settings', '/portal/notifications']) {
      await tab.open(base + path);
      // The first one may come with what each page asks for once, the second one not.
      expect(await untilPopUp({ tab, send }, `Satu di ${path}`)).toBeLessThan(maxMs);
      expect(await untilPopUp({ tab, send }, `Dua di ${path}`)).toBeLessThan(maxMs);
    }
  });

  test('when the leading tab goes to another page, the other tab leads at once', async ({
    tab,
    profile,
    base,
    signInAsEmployee,
    send,
  }) => {
    await signInAsEmployee();
    const second = await profile.newTab();
    await second.open(`${base}/portal`);
    await send('Dua tab');
    await expect.poll(() => unread(second), soon).toBe(1);
    await tab.open(`${base}/docs`);
    for (const [count, title] of [
      [2, 'Satu tab'],
      [3, 'Tetap satu tab'],
    ] as const) {
      const began = await send(title);
      await expect.poll(() => unread(second), soon).toBe(count);
      expect(performance.now() - began).toBeLessThan(maxMs);
    }
  });

  // Pages of a session are `no-store`, so browsers load them again, and none plays before a press.
  test('back from another site the portal says at once that its sound needs a press, and then rings (X33)', async (abilities) => {
    const { tab } = abilities;
    await using other = await openHostPage({ body: '<h1>Lain</h1>' });
    await abilities.signInAsEmployee();
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    await tab.open(other.foreign);
    await tab.evaluate('void history.back()');
    const isReady = () =>
      tab.evaluate('location.pathname !== "/" && document.documentElement.dataset.ready !== undefined');
    await expect.poll(() => isReady().catch(() => false), soon).toBe(true);
    await expect.poll(() => statusBar(tab), { timeout: 1000, interval: 20 }).toContain('Suara belum aktif.');
    await tab.press('.status-bar button');
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    await ringOnce(abilities, 'Sudah kembali');
  });

  test('a page that comes back catches up, and rings for what is new only', async ({
    tab,
    base,
    browser: { desktop },
    signInAsEmployee,
    send,
  }) => {
    await signInAsEmployee();
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    await tab.evaluate('Object.assign(window, { kept: true }).kept');
    await tab.open(`${base}/portal/settings`);
    // No press here, so this page cannot ring.
    const before = desktop.rings().length;
    await untilPopUp({ tab, send }, 'Sementara itu');
    await tab.evaluate('history.back()');
    await expect
      .poll(() => tab.evaluate('document.title + document.documentElement.dataset.ready'), soon)
      .toMatch(/Notifikasi ·/);
    // Firefox loads the page again, because it must not be stored.
    expect(await tab.evaluate('window.kept ?? false')).toBe(name === 'webkit');
    await expect.poll(() => unread(tab), soon).toBe(1);
    if (name === 'firefox') await tab.press('h1');
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    expect(await untilPopUp({ tab, send }, 'Sesudah kembali')).toBeLessThan(maxMs);
    await expect.poll(() => desktop.rings().length, soon).toBe(before + 1);
    await expect.poll(() => unread(tab), soon).toBe(2);
  });
});
