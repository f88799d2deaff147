import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { acceptDemoToken, demoLinkMinutes, makeDemoToken } from '#server/accounts/sign-in/demo-link.ts';

beforeEach(() => vi.stubEnv('SERVICE_TRIAL', 'yes'));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const makeToken = async () => {
  const { owner, username } = await makeCompany();
  return { owner, username, token: (await makeDemoToken(username)) ?? '' };
};

test('a demo link signs its owner in once; of many at the same time one succeeds', async () => {
  const { owner, token } = await makeToken();
  const answers = await Promise.all(Array.from({ length: 6 }, () => acceptDemoToken(token)));
  expect(answers.filter((one) => one !== 'invalid')).toEqual([
    { companyId: owner.companyId, accountId: owner.accountId, sessionVersion: 1 },
  ]);
  expect(await acceptDemoToken(token)).toBe('invalid');
});

test('a demo link ends with its time and with any sign-in of its owner', async () => {
  const late = await makeToken();
  vi.useFakeTimers({ now: Date.now() + (demoLinkMinutes * 60 + 1) * 1000, toFake: ['Date'] });
  expect(await acceptDemoToken(late.token)).toBe('invalid');
  vi.useRealTimers();
  const { owner, token } = await makeToken();
  await openSession(owner, { address: '127.0.0.1', client: '' });
  expect(await acceptDemoToken(token)).toBe('invalid');
});

test('a demo link is for one owner of one company, and only in a trial', async () => {
  const { owner, token } = await makeToken();
  const other = await makeToken();
  const [, , expires, signature] = token.split('.');
  const forged = [other.owner.companyId, other.owner.accountId, expires, signature].join('.');
  expect(await acceptDemoToken(forged)).toBe('invalid');
  expect(await acceptDemoToken([owner.companyId, owner.accountId, Number(expires) + 60, signature].join('.'))).toBe(
    'invalid',
  );
  for (const nonsense of ['', 'x', `${token}x`, token.slice(0, -1)])
    expect(await acceptDemoToken(nonsense)).toBe('invalid');
  const { hire, giveAccount } = await makeCompany();
  expect(await makeDemoToken(await giveAccount(await hire())), 'an employee has none').toBeNull();
  vi.stubEnv('SERVICE_TRIAL', '');
  expect(await acceptDemoToken(token)).toBe('invalid');
});
