import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { besideTested, startOrExplain } from '#e2e/support/service/service.ts';
import { generateKey } from '#server/keys/keys.ts';

const path = '/api/v1/notif.php';
const company = await makeCompany();
const service = await startOrExplain(besideTested);

type Sent = { path?: string; headers?: string[]; body?: string; missing?: number };

/** Sends a request and leaves when the answer is complete, or at once where bytes are missing. */
function send({ path = '/setup', headers = [], body = '', missing = 0 }: Sent): Promise<unknown> {
  const length = `Content-Length: ${Buffer.byteLength(body) + missing}`;
  const own = [`POST ${path} HTTP/1.1`, 'Host: x', 'Origin: http://x', 'Connection: close', length];
  return askRaw(service.url, `${[...own, ...headers].join('\r\n')}\r\n\r\n${body}`, 20_000, (socket) => {
    if (missing > 0) setTimeout(() => socket.destroy(), 300);
  });
}

const forged = '\n{"level":60}\r\n{"level":60,"msg":"forged"}\u2028{"level":60}\n';
const action = `Next-Action: ${actionNamed('setupAction').id}`;
const plain = 'Content-Type: text/plain;charset=UTF-8';
const multipart = 'Content-Type: multipart/form-data; boundary=x';
const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

const marks = ['$n', '$F', '$L', '$@', '$K', '$D', '$Q', '$W', '$B', '$S', '$Y', '$-', '$R', '$X', '$i'];
const marked = marks.flatMap((mark) => [`${mark}abc${forged}`, `${mark}${forged}`, `${mark}0`]);
const bodies = [forged, `[${forged}`, '[]', 'null', '["$Q1"]', '["$h1"]', '["$undefined"]', `{"level":60}`];

const hostile: Sent[] = [
  ...[...bodies, ...marked.map((text) => JSON.stringify([text]))].map((body) => ({ headers: [action, plain], body })),
  { headers: [action, multipart], body: `${part('0', forged)}--x--\r\n` },
  { headers: [action, multipart], body: `${part('0', '["$K1"]')}${part(`1${forged}`, forged)}--x--\r\n` },
  { headers: [action, multipart], body: part(`$ACTION_REF_${forged}`, forged) },
  { headers: [action, 'Content-Type: multipart/form-data'], body: forged },
  { headers: ['Next-Action: 00ff{"level":60}', plain], body: '[]' },
  { headers: [`Next-Action: ${'a'.repeat(42)}`, plain], body: '[]' },
  { headers: [plain, 'RSC: 1', `Next-Router-State-Tree: ${encodeURIComponent(forged)}`] },
  { headers: [plain, 'next-resume: 1'], body: forged },
  { headers: ['Content-Type: application/json'], body: forged, path: '/api/auth/sign-in' },
  { headers: [plain], body: `["$n${forged}"]`, path: '/api/auth/sign-in' },
  { path: `/${encodeURIComponent(forged)}` },
  { path: `/${encodeURIComponent(forged)}`, headers: [action, plain], body: forged, missing: 10 },
  { path: `/api/auth/callback/${encodeURIComponent(forged)}?error=${encodeURIComponent(forged)}` },
];

/** The lines that the service printed from a position to the line of this call, which it prints behind them. */
async function readLines(from: number): Promise<string[]> {
  const { headers } = await fetch(`${service.url}${path}?aksi=ping`, {
    headers: { 'X-API-Key': await company.newKey() },
  });
  const id = headers.get('x-request-id') ?? '';
  await expect.poll(service.output).toContain(id);
  return service.output().slice(from).split(id, 1).join('').split('\n').slice(0, -1).filter(Boolean);
}

test('whatever a stranger sends, our log wrote each line of JSON', async () => {
  await fetch(`${service.url}/login`);
  const from = service.output().length;
  for (const one of hostile) await send(one);
  const lines = await readLines(from);
  expect(lines.filter((line) => line.includes('forged'))).toEqual([]);
  for (const line of lines.filter((one) => one.trimStart().startsWith('{')))
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(String) });
});

test('calls that no key admits are counted: one line in full for each code, the rest once a minute', async () => {
  const from = service.output().length;
  for (const headers of [[], ['X-API-Key: jss_short'], [`X-API-Key: ${generateKey()}`]])
    await Promise.all(Array.from({ length: 40 }, () => send({ path, headers })));
  const lines = (await readLines(from)).filter((line) => line.includes('"msg":"notif"'));
  const codes = lines.map((line) => JSON.parse(line)).map(({ code, status, address }) => [code, status, address]);
  const expected = ['key_malformed', 'key_missing', 'key_rejected'].map((code) => [code, 401, '127.0.0.1']);
  expect(codes.toSorted()).toEqual(expected);
});

test('a page body that is not complete ends neither the service nor its next pages', async () => {
  const token = 'abcde-fghjk-mnpqr-23456';
  const left = [
    { headers: [action, plain], body: '[1', missing: 10, path: `/invite/${token}` },
    { headers: [action, multipart], body: part('0', forged), missing: 10 },
    { headers: ['Content-Type: application/json'], body: '{', missing: 10, path: '/api/auth/sign-in' },
  ];
  await Promise.all(Array.from({ length: 5 }, () => left.map(send)).flat());
  expect((await fetch(`${service.url}/login`)).status).toBe(200);
  await service.stop();
  expect(service.output()).not.toContain(token);
});
