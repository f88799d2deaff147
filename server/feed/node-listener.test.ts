import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { stopFeed } from '#server/feed/lifecycle.ts';
import { answerFeedNode } from '#server/feed/node-listener.ts';
import { findSession } from '#server/feed/session-cache.ts';

vi.mock('#server/feed/session-cache.ts', { spy: true });

test('a poll over a WebSocket asks for its session once, which costs a query where the cache is full', async () => {
  const company = await makeCompany();
  const cookie = await openSessionOf(await company.giveAccount(await company.hire()));
  const server = createServer({ shouldUpgradeCallback: () => false }, (request, response) => {
    void answerFeedNode(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = {
    Cookie: cookie,
    Origin: `http://${host}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const asked = request(`http://${host}/portal/feed?after=0`, { headers, agent: false }).end();
  const [{ statusCode }, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket];
  expect([statusCode, vi.mocked(findSession).mock.calls.length]).toEqual([101, 1]);
  socket.destroy();
  server.close();
  await stopFeed();
});
