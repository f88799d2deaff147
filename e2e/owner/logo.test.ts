import { expect } from 'vitest';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { makePng } from '#e2e/support/data/pictures.ts';
import { test } from '#e2e/support/data/test.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { findLogo, setLogo } from '#server/companies/logo.ts';

const get = (path: string, cookie = '') => fetch(baseUrl + path, { headers: { cookie }, redirect: 'manual' });

test('a logo is served to its company and its guests, as a picture that may do nothing', async ({ company, other }) => {
  await setLogo(company.owner, makePng(64, 32, 6));
  const path = `/company-logo/${(await findLogo(company.owner))?.version}`;
  const employee = await company.hire();
  const token = await company.invite(employee);
  const invited = await get(`/invite/${token}/logo`);
  expect([invited.status, invited.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await get(`/invite/${await other.invite(await other.hire())}/logo`)).status).toBe(404);
  expect((await get('/invite/nobody-s-token/logo')).status).toBe(404);

  const cookies = [company.username, await company.giveAccount(employee)].map((name) => openSessionOf(name));
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
  for (const cookie of ['', await openSessionOf(other.username)]) expect((await get(path, cookie)).status).toBe(404);
});
