import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { baseUrl, good, withKey } from '#e2e/support/http/interface.ts';
import { type BuiltAddress, builtAddresses } from '#e2e/support/service/build.ts';

const boundary = { 'Content-Type': 'multipart/form-data; boundary=b' };
const unknownAction = '0'.repeat(42);
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const calls: [what: string, headers: Record<string, string>, body: string][] = [
  ['an unknown action', { 'Next-Action': unknownAction, 'Content-Type': 'text/plain' }, '["$F1"]'],
  [
    'a reference to a constructor',
    { 'Next-Action': unknownAction, ...boundary },
    `${part('0', '{"then":"$1:__proto__:then","status":"resolved_model"}')}${part('1', '"$@0"')}--b--\r\n`,
  ],
  ['a form that names an action', boundary, `${part(`$ACTION_ID_${unknownAction}`, '')}--b--\r\n`],
  [
    'a form that refers to one',
    boundary,
    `${part('$ACTION_REF_1', '')}${part('$ACTION_1:0', '{"id":"x","bound":"$@1"}')}--b--\r\n`,
  ],
  ['a form of fields', { 'Content-Type': 'application/x-www-form-urlencoded' }, '__proto__=x&$ACTION_ID_x=y'],
];

// A form is 405 at every page. An action is 400 for arguments that no page sends, 415 in several parts,
// and 409 when it is unknown. The rest is the interface, the sign-in, the import and unknown addresses.
function statusesOf({ kind, path }: BuiltAddress, headers: Record<string, string>): number[] {
  if (kind === 'page' || /^\/(?:apple-)?icon\./.test(path)) return 'Next-Action' in headers ? [400, 409, 415] : [405];
  // A sign-out without a session changes nothing.
  if (path === '/api/auth/sign-out') return [204, 400, 415];
  return [400, 401, 404, 405, 409, 415];
}

test('a call of an unknown action fails cleanly at every address of the build', async () => {
  expect(builtAddresses.length).toBeGreaterThan(40);
  for (const address of builtAddresses)
    await Promise.all(
      calls.map(async ([what, named, body]) => {
        // With an Origin of ours: without it the request is refused earlier.
        const headers = { Origin: baseUrl, ...named };
        const answer = await fetch(baseUrl + address.path, { method: 'POST', headers, body, redirect: 'manual' });
        expect(statusesOf(address, named), `${what}: ${address.path}`).toContain(answer.status);
        expect(await answer.text()).not.toMatch(/\bat \w+ \(|node_modules/);
      }),
    );
});

const steering: Record<string, string>[] = [
  { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
  { 'x-middleware-subrequest': 'src/middleware' },
  { RSC: '1' },
  { RSC: '1', 'Next-Router-Prefetch': '1' },
  { RSC: '1', 'Next-Router-Segment-Prefetch': '/_tree' },
  { 'x-nextjs-data': '1' },
  { 'x-invoke-path': '/owner', 'x-matched-path': '/owner' },
  { 'x-original-url': '/owner', 'x-rewrite-url': '/owner' },
];

test('no header that controls Next shows data of a company without a session', async () => {
  const company = await makeCompany();
  await company.hire('Nama Rahasia');
  const key = await company.newKey('Kunci Rahasia');
  const headers = { ...withKey(key), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...good, judul: 'Judul Rahasia' });
  expect((await fetch(`${baseUrl}/api/v1/notif.php`, { method: 'POST', headers, body })).status).toBe(200);
  const guarded = builtAddresses.map(({ path }) => path).filter((path) => /^\/(?:owner|portal)/.test(path));
  for (const address of guarded)
    await Promise.all(
      steering.map(async (steered) => {
        const answer = await fetch(`${baseUrl}${address}?_rsc=x`, { headers: steered, redirect: 'manual' });
        const text = await answer.text();
        expect(answer.status, address).toBeLessThan(500);
        expect(text, address).not.toMatch(/Rahasia|Pemilik Uji/);
      }),
    );
});

test('the image optimizer of Next is off', async () => {
  for (const search of ['?url=%2Ficon.svg&w=64&q=75', '?url=https%3A%2F%2Fevil.test%2Fx.avif&w=64&q=75', ''])
    expect((await fetch(`${baseUrl}/_next/image${search}`)).status).toBe(404);
});
