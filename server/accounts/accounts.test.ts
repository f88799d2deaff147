import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany, password } from '#harness/company.ts';
import { changePassword, checkSecret, signIn } from '#server/accounts/accounts.ts';
import { authenticateSession, makeSessionCookie } from '#server/accounts/session.ts';
import type { Session } from '#server/principals.ts';

const address = () => `10.0.0.${randomUUID()}`;

test('signing in takes the username in any case and answers who it is', async () => {
  const company = await makeCompany();
  const signedIn = await signIn(company.username.toUpperCase(), password, address());
  expect(signedIn).toEqual({
    companyId: company.owner.companyId,
    accountId: company.owner.accountId,
    sessionVersion: 1,
  });
});

test('T13: every failure has one answer and takes the same time: unknown name, wrong password, inactive employee', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const username = await company.giveAccount(employee);
  await company.deactivate(employee);
  const tries: [string, string][] = [
    [`tidak-ada-${randomUUID()}`, password],
    [company.username, 'salah'],
    [username, password],
    ['', ''],
    ['\0', '\uD800'],
  ];
  for (const [name, secret] of tries) {
    const started = performance.now();
    expect(await signIn(name, secret, address())).toBeNull();
    expect(performance.now() - started, 'never sooner than the fixed time').toBeGreaterThan(395);
  }
});

test('T13: 10 failures in 15 minutes slow that account and address down, and nobody else', async () => {
  const company = await makeCompany();
  const [attacker, elsewhere] = [address(), address()];
  await Promise.all(Array.from({ length: 10 }, () => signIn(company.username, 'salah', attacker)));
  const slowed = await signIn(company.username, password, attacker);
  expect(slowed).toHaveProperty('waitSeconds');
  expect((slowed as { waitSeconds: number }).waitSeconds).toBeGreaterThan(14 * 60);
  expect(await signIn(company.username, password, elsewhere)).toHaveProperty('accountId');
  const other = await makeCompany();
  expect(await signIn(other.username, password, attacker)).toHaveProperty('accountId');
  await sql()`update sign_in_failures set window_started_at = now() - interval '15 minutes 1 second'
    where failures >= 10 and window_started_at > now() - interval '1 minute'`;
  expect(await signIn(company.username, password, attacker)).toHaveProperty('accountId');
});

test('T13: parallel guesses and other spellings of the name do not slip past', async () => {
  const company = await makeCompany();
  const [attacker, other] = [address(), address()];
  const guesses = await Promise.all(Array.from({ length: 30 }, () => signIn(company.username, 'salah', attacker)));
  expect(guesses.filter((guess) => guess === null)).toHaveLength(10);
  for (let guess = 0; guess < 10; guess++) await signIn(company.username.replaceAll('i', 'İ'), 'salah', other);
  expect(await signIn(company.username.replace('p', 'P'), password, other)).toHaveProperty('waitSeconds');
});

test('the same rule slows down whoever guesses the set-up code', async () => {
  const [attacker, name] = [address(), randomUUID()];
  for (let guess = 0; guess < 10; guess++) expect(await checkSecret(name, false, attacker)).toBe('wrong');
  expect(await checkSecret(name, true, attacker)).toHaveProperty('waitSeconds');
  expect(await checkSecret(name, true, address())).toBe('right');
});

async function cookieOf(company: Awaited<ReturnType<typeof makeCompany>>, username: string): Promise<string> {
  const signedIn = await signIn(username, password, address());
  if (!signedIn || 'waitSeconds' in signedIn) throw new Error(`${company.owner.name} could not sign in`);
  const { name, value } = await makeSessionCookie(signedIn, { address: address(), client: 'a test' });
  return `other=1; ${name}=${value}`;
}

test('changing a password ends other sessions', async () => {
  const company = await makeCompany();
  const cookie = await cookieOf(company, company.username);
  const session = (await authenticateSession(cookie)) as Session;
  expect(session.owner).toEqual(company.owner);
  expect(await changePassword(session.account, 'salah', 'sandi baru 12345', address())).toBe('wrong-password');
  expect(await authenticateSession(cookie)).not.toBeNull();
  const changed = await changePassword(session.account, password, 'sandi baru 12345', address());
  expect(changed).toEqual({ sessionVersion: 2 });
  expect(await authenticateSession(cookie)).toBeNull();
  expect(await signIn(company.username, password, address())).toBeNull();
  expect(await signIn(company.username, 'sandi baru 12345', address())).toHaveProperty('accountId');
});

test('a deactivated employee is out at the next request, and activated again comes in by the password only', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const username = await company.giveAccount(employee);
  const cookie = await cookieOf(company, username);
  expect((await authenticateSession(cookie))?.employee).toEqual(employee);
  await company.deactivate(employee);
  expect(await authenticateSession(cookie)).toBeNull();
  await company.activate(employee);
  expect(await authenticateSession(cookie)).toBeNull();
  expect((await authenticateSession(await cookieOf(company, username)))?.owner).toBeNull();
});

test('no cookie, a broken one and one of another secret are nobody', async () => {
  const company = await makeCompany();
  const cookie = await cookieOf(company, company.username);
  for (const wrong of [
    null,
    '',
    'next-auth.session-token=',
    'next-auth.session-token=x.y.z',
    cookie.slice(0, -4),
    cookie.replace('next-auth', 'other'),
  ])
    expect(await authenticateSession(wrong)).toBeNull();
});
