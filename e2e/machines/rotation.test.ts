import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { requestSignOut, signInForCookie } from '#e2e/support/http/cookie.ts';
import { startService } from '#e2e/support/service/service.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';

const [previous = '', next, forgotten] = [process.env.AUTH_SECRET, 'n'.repeat(40), 'f'.repeat(40)];

async function makeCookie(): Promise<{ cookie: string; username: string }> {
  const company = await makeCompany();
  return { cookie: await openSessionOf(company.owner), username: company.username };
}

test('after a change of AUTH_SECRET, sessions with the previous one stay valid and can end', async () => {
  const { cookie, username } = await makeCookie();
  const settings = { DATABASE_URL: process.env.DATABASE_URL, HOST: '127.0.0.1' };
  const service = await startService({ ...settings, AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: previous });
  const statusOf = async (one: string) =>
    (await fetch(`${service.url}/owner/progress`, { headers: { cookie: one }, redirect: 'manual' })).status;
  try {
    expect(await statusOf(cookie)).toBe(200);
    const fresh = await signInForCookie(service.url, username);
    expect(await statusOf(fresh)).toBe(200);
    // The new secret encrypted it; this process has only the old one.
    expect(await authenticateSession(fresh)).toBeNull();
    await requestSignOut(service.url, { cookie });
    expect(await statusOf(cookie)).not.toBe(200);
    expect(await statusOf(fresh)).toBe(200);
  } finally {
    await service.stop();
  }
});

test('a cookie with an unknown or removed secret is refused', async () => {
  const { cookie } = await makeCookie();
  expect(await authenticateSession(cookie)).not.toBeNull();
  const asSet = { ...process.env };
  try {
    Object.assign(process.env, { AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: forgotten });
    expect(await authenticateSession(cookie)).toBeNull();
    Object.assign(process.env, { AUTH_SECRET_PREVIOUS: previous });
    expect(await authenticateSession(cookie)).not.toBeNull();
  } finally {
    Object.assign(process.env, { AUTH_SECRET: asSet.AUTH_SECRET, AUTH_SECRET_PREVIOUS: '' });
  }
});
