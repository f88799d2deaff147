import { expect } from 'vitest';
import { inEachBrowser, soon, soundShown, statusBar } from '#e2e/browsers/portal.ts';

inEachBrowser((test, name) => {
  test('after a full load the sound needs one press anywhere', async ({ tab, base, signInAsEmployee }) => {
    await signInAsEmployee();
    await tab.open(`${base}/portal`);
    expect(await soundShown(tab)).toBe('click');
    expect(await statusBar(tab)).toContain('Suara belum aktif.');
    await tab.press('h1');
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    await expect.poll(() => statusBar(tab), soon).toBe('');
  });

  test('the button of the line turns the sound on and stays on the page', async ({
    tab,
    base,
    browser: { desktop },
    signInAsEmployee,
    send,
  }) => {
    await signInAsEmployee();
    await tab.open(`${base}/portal`);
    await tab.evaluate('Object.assign(window, { stays: true }).stays');
    await tab.press('.status-bar button');
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    expect(await tab.evaluate('window.stays')).toBe(true);
    const before = desktop.rings().length;
    await send('Sesudah menekan');
    await expect.poll(() => desktop.rings().length, soon).toBe(before + 1);
  });

  // iPhones interrupt sounds. Firefox keeps a driver away from the objects that this needs.
  if (name === 'firefox') return;
  test('a sound that was interrupted returns with the person, without a press', async ({
    tab,
    base,
    signInAsEmployee,
  }) => {
    await signInAsEmployee();
    await tab.open(`${base}/portal`);
    await tab.press('h1');
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    // Finds the page's output when the page reads its state.
    await tab.evaluate(`(() => {
      const { get } = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state');
      const find = function () {
        window.output = this;
        return get.call(this);
      };
      Object.defineProperty(BaseAudioContext.prototype, 'state', { configurable: true, get: find });
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    })()`);
    // As a phone call does.
    await tab.evaluate('window.output.suspend()');
    await expect.poll(() => soundShown(tab), soon).toBe('click');
    await tab.hide();
    await tab.show();
    await expect.poll(() => soundShown(tab), soon).toBe('on');
  });
});
