import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Network, startNetwork } from '#e2e/browsers/network/network.ts';
import { behindNetwork, prepare, ringOnce, soon, soundShown, within20s } from '#e2e/browsers/portal.ts';
import { proxyName, startProxy, type TlsProxy } from '#e2e/machines/tls-proxy.ts';
import { lacks } from '#e2e/support/programs.ts';
import { type Service, startOrExplain } from '#e2e/support/service/service.ts';

const lostMs = 35_000;
let service: Service;
let proxy: TlsProxy;

beforeAll(async () => {
  if (lacks('nginx', 'ip', 'unshare')) return;
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  service = await startOrExplain({ DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', APP_URL: `https://${proxyName}` });
  proxy = await startProxy('nginx', Number(new URL(service.url).port));
});
afterAll(async () => {
  await proxy?.stop();
  await service?.stop();
});

const versions = [
  ['HTTP/1.1', 'http/1.1'],
  ['HTTP/2', 'h2'],
] as const;

for (const name of ['chromium', 'firefox'] as const)
  for (const [version, protocol] of versions)
    describe.skipIf(lacks('nginx', ...behindNetwork[name].needs))(`${name}, ${version}`, () => {
      test.for(['in front', 'hidden'] as const)(
        '%s: a page rings once, 20 s after a forgotten connection or 35 s without packets (X28, X29)',
        { timeout: 300_000 },
        async (place) => {
          const network: Network = await startNetwork(proxyName, proxy.port, protocol === 'h2');
          const browser = await behindNetwork[name].start(network);
          try {
            const abilities = await prepare(browser, name, await browser.newProfile());
            const { tab, send } = abilities;
            const { rings } = browser.desktop;
            await abilities.signInAsEmployee(`https://${proxyName}:${proxy.port}`);
            await expect.poll(() => soundShown(tab), soon).toBe('on');
            expect(await tab.evaluate(`performance.getEntriesByType('navigation')[0].nextHopProtocol`)).toBe(protocol);
            if (place === 'hidden') await tab.hide();
            let heard = 0;
            const ring = async (title: string) => {
              await ringOnce(abilities, title);
              heard += 1;
            };
            const took = async (what: string, from: number) => {
              heard += 1;
              await expect.poll(() => rings().length, within20s).toBe(heard);
              console.log(`${name}, ${version}, ${place}, ${what}: ${Math.round((rings().at(-1) ?? 0) - from)} ms`);
            };
            await ring('Sebelum');
            await network.change('forget');
            await took('forgotten', await send('Terlupa'));
            await network.change('restore');
            await ring('Pulih');
            await network.change('drop');
            await sleep(lostMs / 2);
            await send('Terputus');
            await sleep(lostMs / 2);
            await network.change('restore');
            await took('all packets lost', performance.now());
            // A second ring of one send would sound before that of the next.
            await ring('Lagi');
            expect(rings()).toHaveLength(heard);
          } finally {
            await browser.stop();
            await network.stop();
          }
        },
      );
    });
