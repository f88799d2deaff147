import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { rememberBrowser } from '#server/accounts/sign-in/cookies.ts';
import { queuePages } from '#server/front/page-queue.ts';

const room = { hasRoom: () => true, waitForRoom: () => Promise.resolve(true) };

/** Has no room before so many requests have asked for it: a thread reads their cookies in any time. */
function roomForAll(requests: number) {
  const { promise: allAsked, resolve } = Promise.withResolvers<boolean>();
  let asked = 0;
  const waitForRoom = () => {
    asked += 1;
    if (asked === requests) resolve(true);
    return allAsked;
  };
  return { hasRoom: () => asked === requests, waitForRoom };
}

/** A queue whose requests begin when all of them wait; `order` has the addresses of the pages in their order. */
function observe(requests: number) {
  const order: string[] = [];
  const answer = queuePages(async ({ url }) => {
    order.push(url ?? '');
    await new Promise((resolve) => setImmediate(resolve));
  }, roomForAll(requests));
  const ask = (url: string, address: string, cookie?: string) => {
    const request = { url, headers: { 'x-forwarded-for': address, cookie }, socket: {} };
    return answer(request as unknown as IncomingMessage, {} as ServerResponse);
  };
  return { order, ask };
}

const cookieOf = async (accountId: number) => {
  const { name, value } = await rememberBrowser(null, { companyId: 1, accountId, sessionVersion: 3 });
  return `${name}=${value}`;
};

test('a known browser and another address do not wait for the requests of one address', async () => {
  const { order, ask } = observe(23);
  const cookie = await cookieOf(2);
  const flood = Array.from({ length: 20 }, () => ask('flood', '192.0.2.1'));
  const others = [ask('other', '192.0.2.2'), ask('known', '192.0.2.1', cookie)];
  const forged = ask('forged', '192.0.2.1', cookie.replace('=', '=x'));
  await Promise.all([...flood, ...others, forged]);
  expect(order.slice(0, 6)).toEqual(expect.arrayContaining(['other', 'known']));
  expect(order.at(-1)).toBe('forged');
});

test('accounts of one address share its turns, and take turns with each other', async () => {
  const { order, ask } = observe(46);
  const cookies = await Promise.all(Array.from({ length: 102 }, (_, accountId) => cookieOf(accountId)));
  const many = Array.from({ length: 40 }, (_, at) =>
    ask(`many ${at % 4}`, '192.0.2.1', cookies[at % 4 === 0 ? 9 : at]),
  );
  const other = Array.from({ length: 5 }, () => ask('other', '192.0.2.2', cookies[100]));
  const neighbour = ask('neighbour', '192.0.2.1', cookies[101]);
  await Promise.all([...many, ...other, neighbour]);
  expect(order.slice(0, 14).filter((url) => url === 'other')).toHaveLength(5);
  // Account 9 has ten requests. The neighbour and the other accounts pass most of them.
  expect(order.indexOf('neighbour')).toBeLessThan(order.lastIndexOf('many 0') - 4);
});

test('of one address 500 requests wait; a further one gets 503 with Retry-After', async () => {
  const waiting: (() => void)[] = [];
  const answer = queuePages(() => new Promise((resolve) => waiting.push(resolve)), room);
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

test('a client that closes its side while it waits gets its page; a browser that does so has left', async () => {
  const answered: string[] = [];
  let finish = () => {};
  const first = new Promise<void>((resolve) => (finish = resolve));
  const answer = queuePages(async ({ url = '' }) => {
    answered.push(url);
    await first;
  }, room);
  const ask = (url: string, headers = {}) => {
    const socket = { readableEnded: false };
    const request = { url, headers: { 'x-forwarded-for': '192.0.2.1', ...headers }, socket };
    const response = { destroy: () => answered.push(`closed ${url}`) };
    return { socket, done: answer(request as unknown as IncomingMessage, response as unknown as ServerResponse) };
  };
  const [one, two] = [ask('one'), ask('two')];
  const [script, browser] = [ask('script'), ask('browser', { 'sec-fetch-mode': 'navigate' })];
  for (const { socket } of [script, browser]) socket.readableEnded = true;
  finish();
  await Promise.all([one, two, script, browser].map(({ done }) => done));
  expect(answered).toEqual(['one', 'two', 'script', 'closed browser']);
});
