import { expect, test } from 'vitest';
import { signInForCookie } from '#e2e/fixtures/cookie.ts';
import { baseUrl } from '#e2e/fixtures/interface.ts';
import { makePng } from '#e2e/fixtures/png.ts';
import { makeCompany } from '#harness/company.ts';
import { findLogo, maxLogoBytes, setLogo } from '#server/companies/logo.ts';

const upload = (headers: Record<string, string>, body: Buffer | string) =>
  fetch(`${baseUrl}/owner/settings/logo`, {
    method: 'POST',
    headers: { Origin: baseUrl, 'Content-Type': 'image/png', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
const get = (path: string, cookie = '') => fetch(baseUrl + path, { headers: { cookie }, redirect: 'manual' });

test('a logo is taken from an owner only, by its content, and up to 256 KiB', async () => {
  const company = await makeCompany();
  const owner = { Cookie: await signInForCookie(baseUrl, company.username) };
  const employee = { Cookie: await signInForCookie(baseUrl, await company.giveAccount(await company.hire())) };
  const png = makePng(64, 32, 5);
  expect((await upload({}, png)).status).toBe(401);
  expect((await upload(employee, png)).status).toBe(401);
  expect((await upload({ ...owner, 'Sec-Fetch-Site': 'cross-site' }, png)).status).toBe(403);
  expect((await upload({ ...owner, 'Content-Type': 'image/svg+xml' }, '<svg/>')).status).toBe(415);
  expect((await upload(owner, Buffer.alloc(maxLogoBytes + 1))).status).toBe(413);
  const disguised = await upload(owner, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  expect([disguised.status, await disguised.json()]).toEqual([400, { problems: { form: 'not-a-png' } }]);
  expect(await findLogo(company.owner)).toBeNull();
  const taken = await upload(owner, png);
  expect([taken.status, await taken.json()]).toEqual([200, { value: 'changed' }]);
});

test('a logo is served to its company and to guests with an invitation, as a picture that may do nothing', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  await setLogo(company.owner, makePng(64, 32, 6));
  const path = `/company-logo/${(await findLogo(company.owner))?.version}`;
  const employee = await company.hire();
  const token = await company.invite(employee);
  const invited = await get(`/invite/${token}/logo`);
  expect([invited.status, invited.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await get(`/invite/${await other.invite(await other.hire())}/logo`)).status).toBe(404);
  expect((await get('/invite/nobody-s-token/logo')).status).toBe(404);

  const cookies = [company.username, await company.giveAccount(employee)].map((name) => signInForCookie(baseUrl, name));
  for (const cookie of await Promise.all(cookies)) {
    const response = await get(path, cookie);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
    });
  }
  expect((await get(`/invite/${token}/logo`)).status, 'a used invitation shows nothing').toBe(404);
  for (const cookie of ['', await signInForCookie(baseUrl, other.username)])
    expect((await get(path, cookie)).status).toBe(404);
});
