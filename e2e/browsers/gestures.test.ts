import { expect } from 'vitest';
import { inEachBrowser, soundShown } from '#e2e/browsers/portal.ts';

inEachBrowser((test) => {
  test('reading a page is no gesture, and a press is one', async ({ tab, base, signInAsEmployee }) => {
    await signInAsEmployee();
    await tab.open(`${base}/portal`);
    const activation = '[navigator.userActivation.isActive, navigator.userActivation.hasBeenActive]';
    expect(await soundShown(tab)).not.toBe('on');
    expect(await tab.evaluate(activation)).toEqual([false, false]);
    // Whether this page may play, as the browser itself decides at a resume.
    const resumed = `new Promise((resolve) => { const audio = new AudioContext(); audio.resume().then(() => resolve('plays')); setTimeout(() => resolve('waits'), 1000); })`;
    expect(await tab.evaluate(resumed)).toBe('waits');
    expect(await tab.evaluate(activation)).toEqual([false, false]);
    await tab.press('h1');
    expect(await tab.evaluate(activation)).toEqual([true, true]);
  });
});
