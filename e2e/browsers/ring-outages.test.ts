import { expect } from 'vitest';
import { inEachBrowser, popUps, soon, soundShown, statusBar, unread, within20s } from '#e2e/browsers/portal.ts';
import { expectRing, ringOnce } from '#e2e/browsers/ring.ts';
import { startFilteringProxy } from '#e2e/support/proxies/proxy.ts';
import { freePort, startOrExplain } from '#e2e/support/service/service.ts';

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
