import { expect } from 'vitest';
import {
  type Abilities,
  expectRing,
  inEachBrowser,
  popUps,
  ringOnce,
  soon,
  soundShown,
  statusBar,
  unread,
  within20s,
} from '#e2e/browsers/portal.ts';
import { sendSteadily } from '#e2e/support/data/sends.ts';
import { startFilteringProxy } from '#e2e/support/proxies/proxy.ts';
import { freePort, startOrExplain } from '#e2e/support/service/service.ts';

const soundOn = ({ tab }: Abilities) => expect.poll(() => soundShown(tab), soon).toBe('on');

inEachBrowser((test) => {
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

inEachBrowser((test, name) => {
  test('a steady flow rings at once, and then at least every 10 s (X30)', async (abilities) => {
    const { company, browser } = abilities;
    const { rings } = browser.desktop;
    await abilities.signInAsEmployee();
    await soundOn(abilities);
    const began = await sendSteadily(company, 20_000);
    const ended = performance.now();
    await expect.poll(() => rings().at(-1), within20s).toBeGreaterThan(ended - 1000);
    const times = [began, ...rings().filter((at) => at > began)];
    const gaps = times.slice(1).map((at, index) => Math.round(at - (times[index] ?? 0)));
    console.log(`${name}, a steady flow: rings after ${gaps.join(', ')} ms`);
    expect(gaps[0]).toBeLessThan(5000);
    expect(Math.max(...gaps)).toBeLessThan(10_000);
  });
});

const disconnected = 'Terputus, mencoba lagi…';

inEachBrowser((test) => {
  test('it rings within 20 s where the stream is refused and the page only polls', async (abilities) => {
    const { tab, base, signInAsEmployee } = abilities;
    const proxy = await startFilteringProxy(base, /^\/portal\/stream/);
    try {
      await signInAsEmployee(proxy.url);
      await expect.poll(() => soundShown(tab), soon).toBe('on');
      await ringOnce(abilities, 'Tanpa stream');
    } finally {
      await proxy.stop();
    }
  });

  test('a restart of the service loses nothing and repeats nothing', async (abilities) => {
    const { tab, browser, signInAsEmployee, send } = abilities;
    const port = await freePort();
    const start = () => {
      const { DATABASE_URL, AUTH_SECRET } = process.env;
      const APP_URL = `http://127.0.0.1:${port}`;
      return startOrExplain({ DATABASE_URL, AUTH_SECRET, PORT: String(port), HOST: '127.0.0.1', APP_URL });
    };
    const first = await start();
    await signInAsEmployee(first.url);
    await expect.poll(() => soundShown(tab), soon).toBe('on');
    const sends = await ringOnce(abilities, 'Sebelum mati');
    await first.stop('SIGKILL');
    await expect.poll(() => statusBar(tab), within20s).toBe(disconnected);
    const before = browser.desktop.rings().length;
    await send('Saat mati');
    const again = await start();
    await expectRing(browser.desktop.rings, { title: 'Saat mati', before }, [tab]);
    await expect.poll(() => unread(tab), soon).toBe(sends + 1);
    await expect.poll(() => statusBar(tab), soon).toBe('');
    expect((await popUps(tab)).filter((text) => text.includes('Saat mati'))).toHaveLength(1);
    await again.stop();
  });
});

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
    // Keeps the page's AudioContext as `output` when the page reads its state.
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
