import { expect } from 'vitest';
import {
  type Abilities,
  followTo,
  inEachBrowser,
  popUps,
  soon,
  soundShown,
  unread,
  within20s,
} from '#e2e/browsers/portal.ts';
import { noteRing, recordRings, ringOnce } from '#e2e/browsers/ring-figures.ts';
import { summarise } from '#harness/statistics.ts';

recordRings();

const soundOn = ({ tab }: Abilities) => expect.poll(() => soundShown(tab), soon).toBe('on');

inEachBrowser((test) => {
  test('a notification rings once and pops up on the page in front', async (abilities) => {
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    const times = await ringOnce(abilities, 'Di depan');
    noteRing(abilities, 'in front', times);
    expect(await unread(abilities.tab)).toBe(times.sends);
  });

  test('it rings once in a hidden tab', async (abilities) => {
    const { tab } = abilities;
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    await tab.hide();
    await expect.poll(() => tab.evaluate('document.visibilityState'), soon).toBe('hidden');
    const times = await ringOnce(abilities, 'Tersembunyi');
    noteRing(abilities, 'hidden', times);
    await tab.show();
    await expect.poll(() => unread(tab), soon).toBe(times.sends);
  });

  test('two tabs make one ring and one pop-up', async (abilities) => {
    const { tab, base, profile, browser } = abilities;
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    const second = await profile.newTab();
    await second.open(`${base}/portal`);
    const before = browser.desktop.rings().length;
    const times = await ringOnce(abilities, 'Dua tab', [tab, second]);
    noteRing(abilities, 'two tabs', times);
    for (const one of [tab, second]) await expect.poll(() => unread(one), soon).toBe(times.sends);
    // The next ring sounds at least 5 s later. A second ring of the first send would come before it.
    await ringOnce(abilities, 'Lagi', [tab, second]);
    expect(browser.desktop.rings().length).toBe(before + 2);
  });

  test('after full loads it rings within 3 s', async (abilities) => {
    const { tab, browser, send } = abilities;
    await abilities.signInAsEmployee();
    const waits: number[] = [];
    const loads = [() => followTo(tab, '/portal/settings'), () => followTo(tab, '/portal'), () => tab.reload()];
    for (const [at, load] of [...loads, ...loads].entries()) {
      await load();
      const began = await send(`Muat ke-${at}`);
      const isShown = async () => (await popUps(tab)).some((text) => text.includes(`Muat ke-${at}`));
      await expect.poll(isShown, within20s).toBe(true);
      waits.push(performance.now() - began);
    }
    await tab.press('h1');
    await soundOn(abilities);
    const before = browser.desktop.rings().length;
    const times = await ringOnce(abilities, 'Sesudah semua');
    noteRing(abilities, 'after a full load', times);
    waits.push(times.popUpMs);
    expect(browser.desktop.rings().length).toBe(before + 1);
    // A page that is deaf until another one gives up its lock waits for 8 s. A busy machine may
    // delay one of the others.
    expect(Math.max(...waits)).toBeLessThan(8000);
    expect(summarise(waits).value).toBeLessThan(3000);
  });

  test('a load repeats neither ring nor pop-up', async (abilities) => {
    const { tab, browser } = abilities;
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    await ringOnce(abilities, 'Sekali saja');
    await tab.reload();
    await tab.press('h1');
    await soundOn(abilities);
    const before = browser.desktop.rings().length;
    await ringOnce(abilities, 'Yang kedua');
    expect(await popUps(tab)).toEqual([expect.stringContaining('Yang kedua')]);
    expect(browser.desktop.rings().length).toBe(before + 1);
  });
});
