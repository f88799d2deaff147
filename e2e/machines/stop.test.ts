import { once } from 'node:events';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { askRaw, connectTo } from '#e2e/support/http/raw.ts';
import { besideTested, type Service, startService } from '#e2e/support/service/service.ts';

const company = await makeCompany();
const path = '/api/v1/notif.php';
const start = () => startService(besideTested);

const refusesConnections = async (service: Service) => (await openLine(service.url, false).ask(path)).status === 0;

test('SIGTERM: running requests and one more per open connection are answered (X8)', async () => {
  const service = await start();
  const asking = { headers: { 'X-API-Key': await company.newKey() } };
  const line = openLine(service.url);
  expect((await line.ask(`${path}?aksi=ping`, asking)).headers.connection).toBe('keep-alive');
  const body = JSON.stringify({ judul: 'Setengah jalan', isi: 'Isi' });
  const key = `X-API-Key: ${await company.newKey()}`;
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', key, 'Content-Type: application/json'].join('\r\n');
  let finish = () => {};
  const begun = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`;
  const half = askRaw(service.url, begun, 20_000, (socket) => {
    finish = () => socket.write(body.slice(10));
  });
  await expect.poll(async () => (await line.ask(`${path}?aksi=ping`, asking)).reused).toBe(true);

  const stopped = service.stop('SIGTERM');
  // Proxies that ask take it out before it refuses connections.
  const ready = async () => (await openLine(service.url, false).ask('/health/ready')).text;
  await expect.poll(ready).toContain('stopping');
  expect(await refusesConnections(service)).toBe(false);
  await expect.poll(() => refusesConnections(service), { timeout: 5000 }).toBe(true);
  const last = await line.ask(`${path}?aksi=ping`, asking);
  expect([last.status, last.reused, last.headers.connection]).toEqual([200, true, 'close']);
  finish();
  const answer = await half;
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(answer.body).toContain('"terkirim":');
  expect((await stopped).code).toBe(0);
});

test.each([
  ['SIGTERM', 10_000],
  ['SIGINT', 5000],
] as const)('%s: idle connections delay the stop by less than %i ms (X8)', async (signal, longestMs) => {
  const service = await start();
  const line = openLine(service.url);
  await line.ask(path);
  await once(connectTo(service.url), 'connect');
  const { code, ms } = await service.stop(signal);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(longestMs);
  line.close();
});
