import { expect } from 'vitest';
import { inEachBrowser, popUps, soon, soundShown, unread } from '#e2e/browsers/portal.ts';

inEachBrowser((test) => {
  test('a notification rings once and pops up on the page in front', async ({
    tab,
    browser,
    signInAsEmployee,
    send,
  }) => {
    await signInAsEmployee();
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    const before = browser.desktop.rings().length;
    await send('Di depan');
    await expect.poll(() => popUps(tab), soon).toEqual([expect.stringContaining('Di depan')]);
    await expect.poll(() => browser.desktop.rings().length, soon).toBe(before + 1);
    expect(await unread(tab)).toBe(1);
  });
});
