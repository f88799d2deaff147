import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAction } from '#e2e/support/http/call-action.ts';
import { baseUrl, good, sendJson } from '#e2e/support/http/interface.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { anonymous, type Caller, requestAs } from '#e2e/tenancy/callers.ts';
import { makeFullCompany } from '#e2e/tenancy/full-company.ts';

// A server that must get no request.
let trap: Server;
let asked = 0;
let bait: string;

beforeAll(async () => {
  trap = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const bound = trap.address();
  bait = `127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
});
afterAll(() => trap.close());

test('the service never requests an address that a caller names', async () => {
  const world = await makeFullCompany(`umpan${randomUUID().slice(0, 8)}`, 700_000);
  const [owner, employee]: Caller[] = [
    { name: 'the owner', headers: { cookie: world.owner } },
    { name: 'the employee', headers: { cookie: world.employee } },
  ];
  const url = encodeURIComponent(`http://${bait}/x.png`);
  for (const path of [`/_next/image?url=${url}&w=64&q=75`, `/login?returnTo=${url}`, `//${bait}/x`]) {
    const { status, location } = await requestAs(anonymous, path);
    expect([path, status < 500, location?.includes(bait) ?? false]).toEqual([path, true, false]);
  }
  const forwarded = {
    'X-Forwarded-Host': bait,
    'X-Forwarded-Proto': 'http',
    Forwarded: `host=${bait}`,
    'X-Middleware-Rewrite': `http://${bait}/`,
  };
  for (const path of ['/login', '/owner']) await requestAs(owner ?? anonymous, path, { headers: forwarded });
  await sendJson(world.key, { ...good, url: `http://${bait}/` }, forwarded);
  await sendJson(world.key, { ...good, url: `/jalan?ke=${url}` });
  const device = { endpoint: `http://${bait}/`, p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) };
  const kept = await callAction(employee ?? anonymous, actionNamed('keepSubscriptionAction'), [device]);
  expect(kept.result).toBe('{"problems":{"form":"unknown-service"}}');
  // Next forwards an action to the page that has it; the Host header must not choose where.
  const { id } = actionNamed('addNumberedEmployeeAction');
  const passedOn = `POST /login HTTP/1.1\r\nHost: ${bait}\r\nOrigin: http://${bait}\r\nNext-Action: ${id}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`;
  expect(await askRaw(baseUrl, passedOn)).toMatchObject({ status: 200 });
  await askRaw(baseUrl, `GET http://${bait}/login HTTP/1.1\r\nHost: ${bait}\r\nConnection: close\r\n\r\n`);
  expect(asked).toBe(0);
});
