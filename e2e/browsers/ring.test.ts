import { expect } from 'vitest';
import { inEachBrowser, ringOnce, soon, soundShown, unread } from '#e2e/browsers/portal.ts';

// The other tests of these browsers are in `*.release.test.ts`.
inEachBrowser((test) => {
  test('a notification rings once and pops up on the page in front', async (abilities) => {
    const { tab, signInAsEmployee } = abilities;
    await signInAsEmployee();
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    const sends = await ringOnce(abilities, 'Di depan');
    expect(await unread(tab)).toBe(sends);
  });
});
