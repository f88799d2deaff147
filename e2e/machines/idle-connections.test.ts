import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { askProxy, proxyName, startProxy } from '#e2e/machines/tls-proxy.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { percentile } from '#e2e/support/figures.ts';
import { lacks } from '#e2e/support/programs.ts';
import { startOrExplain } from '#e2e/support/service/service.ts';

const held = 1500;

test.skipIf(lacks('nginx'))('1,500 idle connections to nginx before two processes delay nobody', async () => {
  const { DATABASE_URL, AUTH_SECRET } = process.env;
  const settings = { DATABASE_URL, AUTH_SECRET, HOST: '127.0.0.1', APP_URL: `https://${proxyName}` };
  const services = await Promise.all([startOrExplain(settings), startOrExplain(settings)]);
  const proxy = await startProxy('nginx', ...services.map(({ url }) => Number(new URL(url).port)));
  const idle: Socket[] = [];
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(proxy.port, '127.0.0.1', resolve).on('error', reject);
      socket.resume();
      idle.push(socket);
    });
  try {
    const headers = { 'X-API-Key': await (await makeCompany()).newKey() };
    while (idle.length < held) await Promise.all(Array.from({ length: 100 }, open));
    const took: number[] = [];
    for (let client = 0; client < 10; client++) {
      const began = performance.now();
      const { status } = await askProxy(proxy, '/api/v1/notif.php?aksi=ping', { headers });
      took.push(performance.now() - began);
      expect(status).toBe(200);
    }
    expect(idle.filter(({ closed }) => !closed)).toHaveLength(held);
    console.log(
      `a new client beside ${held} idle connections: p50 ${percentile(
        took.sort((a, b) => a - b),
        0.5,
      )} ms`,
    );
    expect(Math.max(...took)).toBeLessThan(5000);
  } finally {
    for (const socket of idle) socket.destroy();
    await proxy.stop();
    await Promise.all(services.map((service) => service.stop()));
  }
});
