import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { actionNamed } from '#e2e/fixtures/build.ts';
import { makeCompany } from '#harness/company.ts';
import { freePort, type Service, startOrExplain } from '#harness/service.ts';

// The last line of a start depends on whether a company exists.
beforeAll(async () => void (await makeCompany()));

async function start(way = 'front'): Promise<Service> {
  const settings = { DATABASE_URL: process.env.DATABASE_URL, AUTH_SECRET: process.env.AUTH_SECRET, HOST: '127.0.0.1' };
  if (way === 'front') return startOrExplain(settings);
  const port = String(await freePort());
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port];
  return startOrExplain({ ...settings, PORT: port, NODE_ENV: 'production' }, next, /Ready in/);
}

type Sent = { path?: string; headers?: string[]; body?: string; missing?: number };

/** Sends a request and leaves when the answer is complete, or at once where bytes are missing. */
function send(service: Service, { path = '/setup', headers = [], body = '', missing = 0 }: Sent): Promise<string> {
  const length = `Content-Length: ${Buffer.byteLength(body) + missing}`;
  const own = [`POST ${path} HTTP/1.1`, 'Host: x', 'Origin: http://x', 'Connection: close', length];
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
    socket.once('close', () => resolve(answer));
    socket.write(`${[...own, ...headers].join('\r\n')}\r\n\r\n${body}`, () => {
      if (missing > 0) setTimeout(() => socket.destroy(), 300);
    });
  });
}

const forged = '\n{"level":60}\r\n{"level":60,"msg":"forged"}\u2028{"level":60}\n';
const action = `Next-Action: ${actionNamed('setupAction').id}`;
const plain = 'Content-Type: text/plain;charset=UTF-8';
const multipart = 'Content-Type: multipart/form-data; boundary=x';
const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

const hostile: Sent[] = [
  ...[forged, `[${forged}`, '[]', 'null', '["$Q1"]', '["$h1"]', '["$undefined"]', `{"level":60}`].map((body) => ({
    headers: [action, plain],
    body,
  })),
  ...['$n', '$F', '$L', '$@', '$K', '$D', '$Q', '$W', '$B', '$S', '$Y', '$-', '$R', '$X', '$i'].flatMap((mark) =>
    [`${mark}abc${forged}`, `${mark}${forged}`, `${mark}0`].map((text) => ({
      headers: [action, plain],
      body: JSON.stringify([text]),
    })),
  ),
  { headers: [action, multipart], body: `${part('0', forged)}--x--\r\n` },
  { headers: [action, multipart], body: `${part('0', '["$K1"]')}${part(`1${forged}`, forged)}--x--\r\n` },
  { headers: [action, multipart], body: part(`$ACTION_REF_${forged}`, forged) },
  { headers: [action, 'Content-Type: multipart/form-data'], body: forged },
  { headers: ['Next-Action: 00ff{"level":60}', plain], body: '[]' },
  { headers: [`Next-Action: ${'a'.repeat(42)}`, plain], body: '[]' },
  { headers: [plain, 'RSC: 1', `Next-Router-State-Tree: ${encodeURIComponent(forged)}`] },
  { headers: [plain, 'next-resume: 1'], body: forged },
  { headers: ['Content-Type: application/json'], body: forged, path: '/api/auth/callback/credentials' },
  { headers: ['Content-Type: application/json'], body: forged, path: '/api/auth/sign-in' },
  { headers: [plain], body: `["$n${forged}"]`, path: '/api/auth/sign-in' },
  { path: `/${encodeURIComponent(forged)}` },
  { path: `/${encodeURIComponent(forged)}`, headers: [action, plain], body: forged, missing: 10 },
  { path: `/api/auth/csrf?callbackUrl=${encodeURIComponent(forged)}` },
  { path: `/api/auth/error?error=${encodeURIComponent(forged)}` },
];

const fieldsOfLog =
  'level time address method path text repeated err msg outcome operation requestId status code ms key';
const known = new Set(fieldsOfLog.split(' '));

/** Stops the service. Returns the lines that it printed from a position, as objects. */
async function readLines(service: Service, from: number): Promise<Record<string, unknown>[]> {
  await service.stop();
  const lines = service.output().slice(from).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test.each(['front', 'next start'])(
  'whatever a stranger sends, our log wrote each line of the output (%s)',
  async (way) => {
    const service = await start(way);
    await fetch(`${service.url}/login`);
    const from = service.output().length;
    for (const one of hostile) await send(service, one);
    const lines = await readLines(service, from);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(Object.keys(line).filter((field) => !known.has(field))).toEqual([]);
      expect([[30, 40, 50].includes(line.level as number), typeof line.time]).toEqual([true, 'string']);
      expect(line.msg).not.toBe('forged');
    }
  },
);

test('page bodies that are not complete give one line with an address, and a number of the others', async () => {
  const service = await start();
  const from = service.output().length;
  const left = [
    { headers: [action, plain], body: '[1', missing: 10 },
    { headers: [action, multipart], body: part('0', forged), missing: 10 },
    { headers: [plain], body: '{', missing: 10, path: '/api/auth/sign-in' },
    { headers: ['Content-Type: application/json'], body: '{', missing: 10, path: '/api/auth/callback/credentials' },
  ];
  await Promise.all(Array.from({ length: 5 }, () => left.map((one) => send(service, one))).flat());
  await expect.poll(() => service.output().slice(from), { timeout: 20_000 }).toContain('was not complete');
  // Libraries print about a request only after its connection was closed.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const lines = await readLines(service, from);
  const message = 'the body of a page request was not complete';
  expect(lines.map(({ msg, level, address }) => [msg, level, address])).toEqual(
    lines.map(() => [message, 30, '127.0.0.1']),
  );
  expect([lines.length <= 2, Number(lines.at(-1)?.repeated ?? 0) <= 19]).toEqual([true, true]);
});

test('the log names no token of an invitation whose page request was not complete', async () => {
  const service = await start();
  const from = service.output().length;
  const token = 'abcde-fghjk-mnpqr-23456';
  await send(service, { headers: [action, plain], body: '[1', missing: 10, path: `/invite/${token}` });
  await expect.poll(() => service.output().slice(from), { timeout: 20_000 }).toContain('"path":"/invite/…"');
  await service.stop();
  expect(service.output()).not.toContain(token);
});
