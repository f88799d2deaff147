import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { rememberBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { queuePages } from '#server/front/page-queue.ts';

test('a known browser and another address do not wait for the requests of one address', async () => {
  const order: string[] = [];
  const answer = queuePages(async ({ url }) => {
    order.push(url ?? '');
    await new Promise((resolve) => setImmediate(resolve));
  });
  const ask = (url: string, address: string, cookie?: string) => {
    const request = { url, headers: { 'x-forwarded-for': address, cookie }, socket: {} };
    return answer(request as unknown as IncomingMessage, {} as ServerResponse);
  };
  const { name, value } = rememberBrowser(null, { companyId: 1, accountId: 2, sessionVersion: 3 });
  const flood = Array.from({ length: 20 }, () => ask('flood', '192.0.2.1'));
  const others = [ask('other', '192.0.2.2'), ask('known', '192.0.2.1', `${name}=${value}`)];
  const forged = ask('forged', '192.0.2.1', `${name}=${value.slice(1)}`);
  await Promise.all([...flood, ...others, forged]);
  expect(order.slice(0, 6)).toEqual(expect.arrayContaining(['other', 'known']));
  expect(order.at(-1)).toBe('forged');
});

test('of one address 500 requests wait; a further one gets 503 with Retry-After', async () => {
  const waiting: (() => void)[] = [];
  const answer = queuePages(() => new Promise((resolve) => waiting.push(resolve)));
  const refused: unknown[] = [];
  const request = { url: '/', headers: { 'x-forwarded-for': '192.0.2.1' }, socket: {} } as unknown as IncomingMessage;
  const response = {
    writeHead: (status: number, headers: Record<string, unknown>) => {
      refused.push([status, headers['Retry-After']]);
      return response;
    },
    end: () => {},
  } as unknown as ServerResponse;
  const all = Array.from({ length: 503 }, () => answer(request, response));
  await all[502];
  expect(refused).toEqual([[503, 2]]);
  const finish = setInterval(() => waiting.splice(0).map((end) => end()));
  await Promise.all(all);
  clearInterval(finish);
});
