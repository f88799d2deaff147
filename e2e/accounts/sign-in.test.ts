import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { password } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { callAction } from '#e2e/support/http/call-action.ts';
import { requestSignIn, requestSignOut, sessionCookie } from '#e2e/support/http/cookie.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { changeIdleLimits } from '#server/accounts/sessions/sessions.ts';
import { addMyself } from '#server/employees/employees.ts';

const url = process.env.SERVICE_URL ?? '';

const post = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { origin: url, ...(typeof body === 'string' && { 'content-type': 'application/json' }), ...headers },
  });

test('a sign-in leads to a page of the service only; fields that are no texts are 400', async ({ username }) => {
  for (const body of ['{', 'null', '[]', '"x"', '{"username":{}}', '{"callbackUrl":1}', '{"answer":[]}']) {
    const answer = await post(body);
    expect([body, answer.status, answer.headers.getSetCookie()]).toEqual([body, 400, []]);
  }
  const evil = 'https://evil.test/';
  const cookie = sessionCookie(await requestSignIn(url, username));
  const page = await fetch(`${url}/login?returnTo=${evil}`, { headers: { cookie }, redirect: 'manual' });
  expect(page.headers.get('location')).toBe('/');
  const answer = await post(new URLSearchParams({ username, password, callbackUrl: evil }));
  expect(answer.headers.get('location')).toBe('/login?problem=no-cookies&returnTo=%2F');
});

test('with two session cookies, pages and data addresses use the same one, in any order', async ({ username }) => {
  const [valid, ended] = await Promise.all([requestSignIn(url, username), requestSignIn(url, username)]);
  const cookies = [sessionCookie(valid), sessionCookie(ended)];
  await requestSignOut(url, { cookie: sessionCookie(ended) });
  const broken = `${cookies[0]?.split('=')[0]}=%`;
  // A page and two addresses of data: whether each sees the valid session.
  const seenBy = async (cookie: string) => {
    const paths = ['/owner/settings', '/owner/alarms', '/owner/audit/csv'];
    const ask = (path: string) => fetch(url + path, { headers: { cookie }, redirect: 'manual' });
    return Promise.all(paths.map(async (path) => (await ask(path)).status === 200));
  };
  expect(await seenBy(cookies.join('; '))).toEqual([false, false, false]);
  expect(await seenBy(cookies.toReversed().join('; '))).toEqual([true, true, true]);
  // Next skips a value that it cannot decode.
  expect(await seenBy(['a.b=x', ...cookies.toReversed(), broken].join('; '))).toEqual([true, true, true]);
});

test('the cookie of a known browser outlives the sign-out and signs nobody in', async ({ username }) => {
  const before = sessionCookie(await requestSignIn(url, username));
  const signedIn = await requestSignIn(url, username, { cookie: before });
  const ended = await fetch(`${url}/owner`, { headers: { cookie: before }, redirect: 'manual' });
  expect(ended.status, 'a sign-in ends the earlier session of the browser').toBe(307);
  const known = sessionCookie(signedIn, 'known-browser');
  expect(known).not.toBe('');
  const signedOut = await requestSignOut(url, { cookie: `${sessionCookie(signedIn)}; ${known}` });
  expect(sessionCookie(signedOut, 'known-browser')).toBe('');
  const page = await fetch(`${url}/owner`, { headers: { cookie: known }, redirect: 'manual' });
  expect(page.headers.get('location')).toMatch(/^\/login/);
  const asSession = known.replace('known-browser', sessionCookie(signedIn).split('=')[0] ?? '');
  expect((await fetch(`${url}/owner`, { headers: { cookie: asSession }, redirect: 'manual' })).status).toBe(307);
  expect((await post(JSON.stringify({ username, password: 'salah' }), { cookie: known })).status).toBe(401);
});

test('who left the portal open is signed out: what it asks by itself does not count', async ({ owner, username }) => {
  await addMyself(owner, 'Pemilik');
  await changeIdleLimits(owner, { managersIdleMinutes: 15, employeesIdleMinutes: null });
  const headers = { cookie: await openSessionOf(username) };
  await sql()`update sessions set seen_at = now() - interval '10 minutes' where company_id = ${owner.companyId}`;
  const isIdle = async () => {
    const [session] = await sql()<{ isIdle: boolean }[]>`
      select seen_at < now() - interval '9 minutes' as "isIdle" from sessions where company_id = ${owner.companyId}`;
    return session?.isIdle;
  };
  expect((await fetch(`${url}/portal/feed?after=0`, { headers })).status).toBe(200);
  expect((await callAction({ headers }, actionNamed('recordShownAction'), [{ numbers: [] }])).status).toBe(200);
  expect(await isIdle()).toBe(true);
  await callAction({ headers }, actionNamed('markReadAction'), [{ no: 1, read: true }]);
  expect(await isIdle()).toBe(false);
});
