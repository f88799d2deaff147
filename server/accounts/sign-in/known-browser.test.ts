import { hkdfSync } from 'node:crypto';
import { EncryptJWT } from 'jose';
import { afterEach, expect, test, vi } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { authSecret } from '#platform/config/identity.ts';
import { encodeSessionCookie } from '#server/accounts/sessions/cookie.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { decodeKnownBrowser, isKnownTo, rememberBrowser } from '#server/accounts/sign-in/cookies.ts';
import { acceptDemoToken, demoLinkMinutes, makeDemoToken } from '#server/accounts/sign-in/demo-link.ts';

const account = { companyId: 1, accountId: 2, sessionVersion: 3 };
const headerOf = ({ name, value }: { name: string; value: string }) => `other=1; ${name}=${value}`;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test('a browser is known to the last five accounts that signed in, at their version then', async () => {
  const accounts = Array.from({ length: 6 }, (_, at) => ({ ...account, accountId: at }));
  let header: string | null = null;
  for (const one of accounts) header = headerOf(await rememberBrowser(header, one));
  const browser = await decodeKnownBrowser(header);
  expect(accounts.map((one) => isKnownTo(one, browser))).toEqual([false, true, true, true, true, true]);
  expect(isKnownTo({ ...account, accountId: 5, sessionVersion: 4 }, browser)).toBe(false);
  expect(isKnownTo({ ...account, accountId: 5, companyId: 2 }, browser)).toBe(false);
  const id = (await decodeKnownBrowser(headerOf(await rememberBrowser(null, account))))?.id;
  expect([id, browser?.id]).toEqual([expect.stringMatching(/^.{22}$/), expect.not.stringMatching(id ?? '')]);
});

test('a browser is known for a year, and a changed, foreign or missing cookie is no known browser', async () => {
  const cookie = await rememberBrowser(null, account);
  for (const wrong of [null, '', 'known-browser=', 'known-browser=abc', headerOf(cookie).slice(0, -3)])
    expect(await decodeKnownBrowser(wrong)).toBeNull();
  expect(await decodeKnownBrowser(headerOf(cookie).replace('known-browser', 'next-auth.session-token'))).toBeNull();
  const session = await encodeSessionCookie({ ...account, sessionId: 4 });
  expect(await decodeKnownBrowser(headerOf({ ...cookie, value: session.value }))).toBeNull();
  expect(cookie).toMatchObject({ maxAge: 365 * 24 * 60 * 60, httpOnly: true, sameSite: 'lax', path: '/' });
  vi.useFakeTimers({ now: Date.now() + 366 * 24 * 60 * 60 * 1000 });
  expect(isKnownTo(account, await decodeKnownBrowser(headerOf(cookie)))).toBe(false);
});

test('a cookie counts in the one encryption in which the service makes it', async () => {
  const { name } = await rememberBrowser(null, account);
  const purpose = `NextAuth.js Generated Encryption Key (${name})`;
  const key = new Uint8Array(hkdfSync('sha256', authSecret(), name, purpose, 32));
  const content = { id: 'x', accounts: [] };
  const read = async (alg: string, enc: string) => {
    const value = await new EncryptJWT(content).setProtectedHeader({ alg, enc }).setExpirationTime('1h').encrypt(key);
    return decodeKnownBrowser(headerOf({ name, value }));
  };
  expect(await read('dir', 'A256GCM')).toEqual(content);
  expect(await read('dir', 'A128CBC-HS256')).toBeNull();
  for (const alg of ['A256KW', 'A256GCMKW']) expect(await read(alg, 'A256GCM'), alg).toBeNull();
});

const makeToken = async () => {
  vi.stubEnv('SERVICE_TRIAL', 'yes');
  const { owner, username } = await makeCompany();
  return { owner, username, token: (await makeDemoToken(username)) ?? '' };
};

test('a demo link signs its owner in once, also of many at once, until its time or another sign-in', async () => {
  const { owner, token } = await makeToken();
  const answers = await Promise.all(Array.from({ length: 6 }, () => acceptDemoToken(token)));
  const account = { companyId: owner.companyId, accountId: owner.accountId, sessionVersion: 1 };
  expect(answers.filter((one) => one !== 'invalid')).toEqual([account]);
  expect(await acceptDemoToken(token)).toBe('invalid');
  const unused = await makeToken();
  await openSession(unused.owner, { address: '127.0.0.1', client: '' });
  expect(await acceptDemoToken(unused.token)).toBe('invalid');
  const late = await makeToken();
  vi.useFakeTimers({ now: Date.now() + (demoLinkMinutes * 60 + 1) * 1000, toFake: ['Date'] });
  expect(await acceptDemoToken(late.token)).toBe('invalid');
});

test('a demo link is for one owner of one company, and only in a trial', async () => {
  const { owner, token } = await makeToken();
  const other = await makeToken();
  const [, , expires, signature] = token.split('.');
  const forged = [other.owner.companyId, other.owner.accountId, expires, signature].join('.');
  const longer = [owner.companyId, owner.accountId, Number(expires) + 60, signature].join('.');
  for (const wrong of [forged, longer, '', 'x', `${token}x`, token.slice(0, -1)])
    expect(await acceptDemoToken(wrong)).toBe('invalid');
  const { hire, giveAccount } = await makeCompany();
  expect(await makeDemoToken(await giveAccount(await hire())), 'an employee has none').toBeNull();
  vi.stubEnv('SERVICE_TRIAL', '');
  expect(await acceptDemoToken(token)).toBe('invalid');
});
