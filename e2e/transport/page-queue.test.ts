import { expect, test } from 'vitest';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { startOrExplain } from '#e2e/support/service/service.ts';

const flood = 300;

test('an address with hundreds of requests delays no page of another address (T12)', async () => {
  const service = await startOrExplain({
    DATABASE_URL: process.env.DATABASE_URL,
    AUTH_SECRET: 'x'.repeat(40),
    HOST: '127.0.0.1',
  });
  try {
    const get = (path: string, address: string) =>
      fetch(service.url + path, { headers: { 'X-Forwarded-For': address } });
    await get('/login', '192.0.2.1');
    const answered: number[] = [];
    // Of one /64, which counts as one address.
    const all = Array.from({ length: flood }, async (_, at) => {
      const answer = await get('/login', `2001:db8::${at.toString(16)}`);
      answered.push(answer.status);
      await answer.text();
    });
    await expect.poll(() => answered.length).toBeGreaterThan(0);
    expect((await get('/docs', '192.0.2.1')).status).toBe(200);
    expect(answered.length).toBeLessThan(flood / 2);
    await Promise.all(all);
    // On a slow machine some wait longer than 10 s.
    expect(answered.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  } finally {
    await service.stop();
  }
});

test('the address of a page has at most 4,096 characters', async () => {
  const at = (length: number) => fetch(`${baseUrl}/login?x=${'a'.repeat(length - '/login?x='.length)}`);
  expect((await at(4096)).status).toBe(200);
  expect((await at(4097)).status).toBe(414);
});
