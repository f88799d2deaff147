import { expect } from 'vitest';
import { type Abilities, inEachBrowser, soon, soundShown, unread } from '#e2e/browsers/portal.ts';
import { ringOnce } from '#e2e/browsers/ring.ts';

const soundOn = ({ tab }: Abilities) => expect.poll(() => soundShown(tab), soon).toBe('on');

inEachBrowser((test) => {
  test('a notification rings once and pops up on the page in front', async (abilities) => {
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    const sends = await ringOnce(abilities, 'Di depan');
    expect(await unread(abilities.tab)).toBe(sends);
  });

  test('it rings once in a hidden tab', async (abilities) => {
    const { tab } = abilities;
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    await tab.hide();
    await expect.poll(() => tab.evaluate('document.visibilityState'), soon).toBe('hidden');
    const sends = await ringOnce(abilities, 'Tersembunyi');
    await tab.show();
    await expect.poll(() => unread(tab), soon).toBe(sends);
  });

  test('two tabs make one ring and one pop-up', async (abilities) => {
    const { tab, base, profile, browser } = abilities;
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    const second = await profile.newTab();
    await second.open(`${base}/portal`);
    const before = browser.desktop.rings().length;
    const sends = await ringOnce(abilities, 'Dua tab', [tab, second]);
    for (const one of [tab, second]) await expect.poll(() => unread(one), soon).toBe(sends);
    // The next ring sounds at least 5 s later. A second ring of the first send would come before it.
    await ringOnce(abilities, 'Lagi', [tab, second]);
    expect(browser.desktop.rings().length).toBe(before + 2);
  });
});
