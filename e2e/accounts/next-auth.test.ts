import { expect, test } from 'vitest';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { requestNextAuth, sessionCookie } from '#e2e/support/http/cookie.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';

const wrongUrls = [`${baseUrl}.evil`, `${baseUrl}0000`, 'javascript:alert(1)', 'http://', 'x', '//[', '\\'];

test('a callbackUrl that is no address is 400, in the query and at the sign-in', async () => {
  const { username } = await makeCompany();
  for (const callbackUrl of wrongUrls) {
    const asked = await fetch(`${baseUrl}/api/auth/csrf?callbackUrl=${encodeURIComponent(callbackUrl)}`);
    const fields = { username, password, callbackUrl };
    const signIn = await requestNextAuth(baseUrl, '/api/auth/callback/credentials', fields);
    const signOut = await requestNextAuth(baseUrl, '/api/auth/signout', { callbackUrl });
    expect([callbackUrl, asked.status, signIn.status, signOut.status]).toEqual([callbackUrl, 400, 400, 400]);
    expect(sessionCookie(signIn)).toBe('');
  }
  const twice = await fetch(`${baseUrl}/api/auth/csrf?callbackUrl=${baseUrl}.evil&callbackUrl=/`);
  expect(twice.status).toBe(400);
});

test('an address of ours is accepted, and one of others leads to our own', async () => {
  const { username } = await makeCompany();
  for (const [callbackUrl, leadsTo] of [
    ['/owner', `${baseUrl}/owner`],
    [`${baseUrl}/owner/keys`, `${baseUrl}/owner/keys`],
    ['https://evil.example/', baseUrl],
  ] as const) {
    const fields = { username, password, callbackUrl };
    const answer = await requestNextAuth(baseUrl, '/api/auth/callback/credentials', fields);
    expect([answer.status, await answer.json()]).toEqual([200, { url: leadsTo }]);
    expect(sessionCookie(answer)).not.toBe('');
  }
});

test('a callback cookie that is no address is ignored and removed', async () => {
  const asked = await fetch(`${baseUrl}/api/auth/csrf`, { headers: { cookie: 'next-auth.callback-url=x%3A%2F%2F[' } });
  expect(asked.status).toBe(200);
  expect(asked.headers.getSetCookie().join()).toMatch(/next-auth\.callback-url=(?:;|http)/);
});

test('JSON that is no sign-in is 400', async () => {
  const headers = { Origin: baseUrl, 'Content-Type': 'application/json' };
  for (const body of ['{', 'null', '[]', '"x"', '{"username":{}}', '{"callbackUrl":1}', '{"csrfToken":[]}'])
    for (const path of ['/api/auth/callback/credentials', '/api/auth/signout']) {
      const answer = await fetch(baseUrl + path, { method: 'POST', headers, body, redirect: 'manual' });
      expect([path, body, answer.status]).toEqual([path, body, 400]);
    }
});
