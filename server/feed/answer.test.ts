import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, expect, vi } from 'vitest';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { upgrade } from '#e2e/support/http/raw.ts';
import * as authentication from '#server/accounts/sign-in/authenticate.ts';
import { answerFeed } from '#server/feed/answer.ts';
import { answerFeedNode } from '#server/feed/node-listener.ts';
import { findSession } from '#server/feed/session-cache.ts';
import { stopFeed } from '#server/feed/stream.ts';
import { sendNotification } from '#server/sends/by-key.ts';

vi.mock('#server/feed/session-cache.ts', { spy: true });
vi.mock('#server/accounts/sign-in/authenticate.ts', { spy: true });

afterAll(stopFeed);

test('a poll over a WebSocket asks for its session once: without a cache, a query', async ({ company }) => {
  const cookie = await openSessionOf(await company.giveAccount(await company.hire()));
  const server = createServer({ shouldUpgradeCallback: () => false }, (request, response) => {
    void answerFeedNode(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = { Cookie: cookie, Origin: `http://${host}`, ...upgrade };
  const asked = request(`http://${host}/portal/feed?after=0`, { headers, agent: false }).end();
  const [{ statusCode }, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket];
  expect([statusCode, vi.mocked(findSession).mock.calls.length]).toEqual([101, 1]);
  socket.destroy();
  server.close();
});

test('a poll names no number as received whose notification it does not bring', async ({ company, sender }) => {
  const cookie = await openSessionOf(await company.giveAccount(await company.hire()));
  const poll = async () => {
    const { body } = await answerFeed({ search: '?after=0', cookie, lastEventId: null });
    const { newest, items } = JSON.parse(body) as { newest: number; items: { no: number }[] };
    return [newest, items.map(({ no }) => no)];
  };
  const send = async (no: number) => {
    await sendNotification(sender, keyDraft, 'x');
    const session = await findSession(cookie);
    await session?.feed.update();
    expect(session?.feed.lastNo).toBe(no);
  };
  await poll();
  await send(1);
  // The second one arrives while the poll checks its session.
  const actual = await vi.importActual<typeof authentication>('#server/accounts/sign-in/authenticate.ts');
  vi.mocked(authentication.authenticateRinging).mockImplementationOnce(async (header) => {
    await send(2);
    return actual.authenticateRinging(header);
  });
  expect(await poll()).toEqual([1, [1]]);
  expect(await poll()).toEqual([2, [1, 2]]);
});
