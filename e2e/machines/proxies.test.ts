import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2, type Settings } from 'node:http2';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '#db/client.ts';
import { askProxy, askProxyOverHttp2, begin, proxyName, startProxy, type TlsProxy } from '#e2e/machines/tls-proxy.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { holdToDocument } from '#e2e/support/http/documented.ts';
import { expectCommon, good } from '#e2e/support/http/interface.ts';
import { askRaw, upgrade } from '#e2e/support/http/raw.ts';
import { lacks } from '#e2e/support/programs.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { besideTested, startService } from '#e2e/support/service/service.ts';

const path = '/api/v1/notif.php';
const installed = (['nginx', 'caddy', 'haproxy'] as const).filter((kind) => !lacks(kind));
const settings = { ...besideTested, APP_URL: `https://${proxyName}` };
const services = await Promise.all([startService(settings), startService(settings)]);
const ports = services.map(({ url }) => Number(new URL(url).port));
const company = await makeCompany();
let key = await company.newKey();

const asJson = (secret: string) => ({ 'X-API-Key': secret, 'Content-Type': 'application/json' });

async function expectDocumented(method: string | null, answer: Awaited<ReturnType<typeof askProxy>>) {
  expectCommon(answer);
  // Headers of the proxies.
  for (const name of ['server', 'via', 'alt-svc']) answer.headers.delete(name);
  await holdToDocument(method, answer);
  return answer;
}

// Reads what a socket receives to its end.
const readAll = async (socket: Socket, bytes: string, after?: () => void) =>
  (await askRaw(socket, bytes, 20_000, after, () => false)).received;

// Sends bytes over TLS. `halfClosed`: the client closes its side after them.
function askRawTls({ port, certificate }: TlsProxy, bytes: string, halfClosed = false): Promise<string> {
  const tls = { ca: certificate, servername: proxyName, ALPNProtocols: ['http/1.1'], allowHalfOpen: halfClosed };
  const socket = connectTls({ host: '127.0.0.1', port, ...tls });
  return readAll(socket, bytes, () => halfClosed && socket.end());
}

const askPlain = (port: number, target: string) =>
  readAll(connect(port, '127.0.0.1'), `GET ${target} HTTP/1.1\r\nHost: ${proxyName}\r\nConnection: close\r\n\r\n`);

async function signIn(proxy: TlsProxy, username: string): Promise<string[]> {
  const answer = await askProxy(proxy, '/api/auth/sign-in', {
    method: 'POST',
    headers: { Origin: `https://${proxyName}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return answer.headers.getSetCookie();
}

describe.each(installed)('%s with the configuration of the documentation', (kind) => {
  let proxy: TlsProxy;
  beforeAll(async () => {
    proxy = await startProxy(kind, ...ports);
    // A key has 60 calls a minute.
    key = await company.newKey();
  });
  afterAll(() => proxy?.stop());

  test('every status passes unchanged over HTTP/1.1 and HTTP/2', async () => {
    const used = await company.newKey();
    for (const ask of [askProxy, askProxyOverHttp2]) {
      const statusOf = async (search: string, asked: Parameters<typeof askProxy>[2] = {}) =>
        (await expectDocumented(asked.method ?? 'GET', await ask(proxy, `${path}${search}`, asked))).status;
      const headers = asJson(key);
      const post = (body: object) => statusOf('', { method: 'POST', headers, body: JSON.stringify(body) });
      expect(await statusOf('?aksi=ping', { headers })).toBe(200);
      expect(await statusOf('?aksi=ping', { method: 'HEAD', headers })).toBe(200);
      expect(await post(good)).toBe(200);
      expect(await post({ judul: 'J' })).toBe(400);
      expect(await post({ ...good, user_id: 2_000_000_000 })).toBe(404);
      expect(await statusOf('?aksi=ping')).toBe(401);
      for (const method of ['DELETE', 'PUT', 'PROPFIND', 'OPTIONS'])
        expect(await statusOf('', { method, headers })).toBe(405);
      expect(await statusOf('?aksi=ping', { headers: { ...headers, RSC: '1', 'Next-Action': 'x' } })).toBe(200);
    }
    const all = await Promise.all(
      Array.from({ length: 61 }, () => askProxy(proxy, `${path}?aksi=ping`, { headers: { 'X-API-Key': used } })),
    );
    for (const answer of all) await expectDocumented('GET', answer);
    expect(all.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  });

  test('TRACE, large bodies, large headers and bytes that are not HTTP get documented answers', async () => {
    const trace = await askProxy(proxy, path, { method: 'TRACE', headers: { 'X-API-Key': key } });
    expect((await expectDocumented('TRACE', trace)).status).toBe(405);
    const text = JSON.stringify({ ...good, isi: 'x'.repeat(70 * 1024) });
    for (const [ask, body] of [
      [askProxy, text],
      [askProxyOverHttp2, text],
      [askProxy, Buffer.alloc(3 * 1024 * 1024, 'x')],
    ] as const) {
      const large = await ask(proxy, path, { method: 'POST', headers: asJson(key), body });
      const answer = await expectDocumented('POST', large);
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { code: 'body_too_large' }]);
    }
    for (const size of [17 * 1024, 40 * 1024]) {
      const large = await askProxy(proxy, path, { headers: { 'X-API-Key': key, 'X-Large': 'x'.repeat(size) } });
      const answer = await expectDocumented('GET', large);
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { code: 'request_malformed' }]);
    }
    const garbage = await askRawTls(proxy, 'get / HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n');
    expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
    if (kind === 'nginx') expect(garbage).toContain('"code":"request_malformed"');
  });

  test('a client that closes its side after its request gets the answer', async () => {
    const { newKey, hire } = await makeCompany();
    await hire();
    const [secret, body] = [await newKey(), JSON.stringify(good)];
    const head = `POST ${path} HTTP/1.1\r\nHost: ${proxyName}\r\nX-API-Key: ${secret}\r\nContent-Type: application/json\r\n`;
    for (let round = 0; round < 5; round++) {
      const answer = await askRawTls(proxy, `${head}Content-Length: ${body.length}\r\n\r\n${body}`, true);
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*"terkirim":1/s);
      const ping = `GET ${path}?aksi=ping HTTP/1.1\r\nHost: ${proxyName}\r\nX-API-Key: ${secret}\r\n\r\n`;
      expect(await askRawTls(proxy, ping, true)).toMatch(/^HTTP\/1\.1 200 .*"ok":true/s);
    }
  });

  test.runIf(kind === 'nginx')('what nginx itself does not know is 400 in the form of the interface', async () => {
    for (const [first, header] of [
      [`POST ${path} HTTP/1.1`, 'Transfer-Encoding: gzip'],
      [`GET ${path}?aksi=ping HTTP/9.9`, 'Accept: */*'],
      [`GET ${path}?aksi=ping HTTP/2.0`, 'Accept: */*'],
      ['POST /login HTTP/1.1', 'Transfer-Encoding: identity, chunked'],
    ]) {
      const came = await askRawTls(proxy, `${first}\r\nHost: ${proxyName}\r\n${header}\r\nX-API-Key: ${key}\r\n\r\n`);
      expect([first, came.slice(0, 13)]).toEqual([first, 'HTTP/1.1 400 ']);
      expect(came).toContain('"code":"request_malformed"');
    }
  });

  test('an unencrypted API call is refused without a redirect; a page is redirected to https', async () => {
    const noticed = await askPlain(proxy.plainPort, `${path}?aksi=ping`);
    expect(noticed).toMatch(/^HTTP\/1\.1 400 .*replace the key.*/s);
    expect(noticed).toMatch(/^x-ratelimit-limit: 60\r$/im);
    const page = await askPlain(proxy.plainPort, '/login');
    expect(page).toMatch(/^HTTP\/1\.1 301 .*location: https:\/\/notif\.example\.com\/login\r/is);
  });

  test('the client’s address is the one the proxy saw, not the one the client claims', async () => {
    const mine = await company.newKey(`alamat ${kind}`);
    const forwarded = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7', Forwarded: 'for=203.0.113.9' };
    const headers = { 'X-API-Key': mine, 'X-Real-IP': '203.0.113.9', ...forwarded };
    expect((await askProxy(proxy, `${path}?aksi=ping`, { headers })).status).toBe(200);
    const addressOf = async () => {
      const [row] =
        await sql()`select u.address from key_uses u join api_keys k on k.company_id = u.company_id and k.id = u.key_id
        where k.company_id = ${company.owner.companyId} and k.name = ${`alamat ${kind}`}`;
      return row?.address as string | undefined;
    };
    await expect.poll(addressOf).toBe('127.0.0.1');
  });

  test('the proxy’s log contains tokens neither of invitations nor of join links', async () => {
    const invitation = await company.invite(await company.hire('Karyawan Satu'));
    const page = await askProxy(proxy, `/invite/${invitation}`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Karyawan Satu')]);
    await askPlain(proxy.plainPort, `/invite/${invitation}`);
    for (const path of [`/join/${unknownToken}`, `/join/wait/${unknownToken}`]) await askProxy(proxy, path);
    const listInvites = async () => (await proxy.readLogs()).match(/ \/invite\/-" /g);
    if (kind === 'nginx') await expect.poll(listInvites).toHaveLength(2);
    expect(await proxy.readLogs()).not.toContain(invitation);
    expect(await proxy.readLogs()).not.toContain(unknownToken);
  });

  test('form actions are accepted from the page’s own address including its port', async () => {
    const host = `${proxyName}:${proxy.port}`;
    const { id } = actionNamed('chooseLanguageAction');
    const asked = (origin: string) => {
      const headers = { Host: host, Origin: origin, 'Next-Action': id, 'Content-Type': 'text/plain;charset=UTF-8' };
      return askProxy(proxy, '/login', { method: 'POST', headers, body: '["en"]' });
    };
    expect((await asked(`https://${host}`)).status).toBe(200);
    expect((await asked(`https://${proxyName}:1`)).status).toBe(403);
  });

  test('a WebSocket brings a poll, and browsers open a connection of its own for it', async () => {
    const cookies = await signIn(proxy, await company.giveAccount(await company.hire()));
    const answer = await askOverWebSocket(proxy, cookies.map((cookie) => cookie.split(';')[0]).join('; '));
    expect(answer).toEqual([101, expect.stringContaining('"items":')]);
    // With RFC 8441 the WebSocket would share the connection of HTTP/2, which may be dead.
    expect((await readSettings(proxy)).enableConnectProtocol).toBe(false);
  });

  test('sign-in sets a Secure cookie, and a stream delivers at once and stays open', async () => {
    const cookies = await signIn(proxy, await company.giveAccount(await company.hire()));
    const session = cookies.find((one) => one.includes('session-token'));
    expect(session).toMatch(/^__Host-next-auth\.session-token=/);
    for (const word of ['Secure', 'HttpOnly', 'SameSite=lax']) expect(session).toContain(word);
    const headers = { Cookie: session?.split(';')[0] ?? '' };
    expect((await askProxy(proxy, '/portal/notifications', { headers })).status).toBe(200);
    const stream = await begin(proxy, '/portal/stream?after=0', { headers });
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    stream.on('error', () => {});
    await expect.poll(() => text, { timeout: 5000 }).toContain('event: ping');
    for (const judul of [`Satu lewat ${kind}`, `Dua lewat ${kind}`]) {
      const body = JSON.stringify({ judul, isi: 'Isi' });
      expect((await askProxy(proxy, path, { method: 'POST', headers: asJson(key), body })).status).toBe(200);
      await expect.poll(() => text, { timeout: 3000 }).toContain(judul);
    }
    stream.destroy();
  });
});

test.skipIf(lacks('nginx'))('1,500 idle connections to nginx before two processes delay nobody', async () => {
  const proxy = await startProxy('nginx', ...ports);
  const idle: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of idle) socket.destroy();
    await proxy.stop();
  });
  const open = async () => {
    const socket = connect(proxy.port, '127.0.0.1').resume();
    idle.push(socket);
    await once(socket, 'connect');
  };
  const headers = { 'X-API-Key': await company.newKey() };
  while (idle.length < 1500) await Promise.all(Array.from({ length: 100 }, open));
  const began = performance.now();
  for (let client = 0; client < 10; client++)
    expect((await askProxy(proxy, `${path}?aksi=ping`, { headers })).status).toBe(200);
  expect(idle.filter(({ closed }) => closed)).toEqual([]);
  expect(performance.now() - began).toBeLessThan(50_000);
});

// Asks for the answer of a poll over a WebSocket. Returns the status and the bytes after the head.
async function askOverWebSocket({ port, certificate }: TlsProxy, cookie: string): Promise<[number, string]> {
  const headers = { Host: proxyName, Origin: `https://${proxyName}`, Cookie: cookie, ...upgrade };
  const address = { host: '127.0.0.1', port, path: '/portal/feed?after=0', ca: certificate, servername: proxyName };
  const asked = request({ ...address, headers, agent: false }).end();
  const [{ statusCode = 0 }, socket, first] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket, Buffer];
  const [message] = first.length > 0 ? [first] : ((await once(socket, 'data')) as [Buffer]);
  socket.destroy();
  return [statusCode, message.toString()];
}

async function readSettings({ port, certificate }: TlsProxy): Promise<Settings> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: certificate, servername: proxyName });
  await once(session, 'remoteSettings');
  session.destroy();
  return session.remoteSettings;
}

const unknownToken = 'abcde-fghjk-mnpqr-23456';

test.skipIf(installed.length === 0)('without a service a proxy answers 503 in the form of the interface', async () => {
  const proxies = await Promise.all(installed.map((kind) => startProxy(kind, ...ports)));
  const invitation = await company.invite(await company.hire());
  await Promise.all(services.map((service) => service.stop()));
  for (const proxy of proxies) {
    const asked = { method: 'POST', headers: asJson(key), body: JSON.stringify(good) };
    const send = await expectDocumented('POST', await askProxy(proxy, path, asked));
    // Only HAProxy can tell that the request reached no process.
    const code = proxy.kind === 'haproxy' ? 'unavailable' : 'unavailable_uncertain';
    expect([send.status, JSON.parse(send.text)]).toMatchObject([503, { code }]);
    const ping = await expectDocumented('GET', await askProxy(proxy, `${path}?aksi=ping`));
    expect([ping.status, JSON.parse(ping.text)]).toMatchObject([503, { code: 'unavailable' }]);
    for (const page of ['/login', `/invite/${invitation}`]) expect((await askProxy(proxy, page)).status).toBe(503);
    const logs = await proxy.readLogs();
    expect([logs.includes(key), logs.includes(invitation)]).toEqual([false, false]);
    await proxy.stop();
  }
});
