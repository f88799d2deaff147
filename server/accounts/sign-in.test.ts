import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany, password } from '#harness/company.ts';
import { authenticatePassword, checkSecret } from '#server/accounts/sign-in.ts';

const newAddress = () => `10.0.0.${randomUUID()}`;

test('a sign-in takes the username in any case and returns the account', async () => {
  const company = await makeCompany();
  const { companyId, accountId } = company.owner;
  expect(await authenticatePassword(company.username.toUpperCase(), password, newAddress())).toEqual({
    companyId,
    accountId,
    sessionVersion: 1,
  });
});

test('every refused sign-in has one answer, after at least 400 ms (T13)', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const inactive = await company.giveAccount(employee);
  await company.deactivate(employee);
  const attempts: [username: string, password: string][] = [
    [`tidak-ada-${randomUUID()}`, password],
    [company.username, 'salah'],
    [inactive, password],
    ['', ''],
    ['\0', '\uD800'],
  ];
  for (const [username, typed] of attempts) {
    const started = performance.now();
    expect(await authenticatePassword(username, typed, newAddress())).toBe('wrong-password');
    expect(performance.now() - started).toBeGreaterThan(395);
  }
});

test('10 failures in 15 minutes slow down that username from that address only (T13)', async () => {
  const [company, other] = await Promise.all([makeCompany(), makeCompany()]);
  const attacker = newAddress();
  await Promise.all(Array.from({ length: 10 }, () => authenticatePassword(company.username, 'salah', attacker)));
  const slowedDown = await authenticatePassword(company.username, password, attacker);
  expect(slowedDown).toEqual({ waitSeconds: expect.any(Number) });
  expect((slowedDown as { waitSeconds: number }).waitSeconds).toBeGreaterThan(14 * 60);
  expect(await authenticatePassword(company.username, password, newAddress())).toHaveProperty('accountId');
  expect(await authenticatePassword(other.username, password, attacker)).toHaveProperty('accountId');
  await sql()`update sign_in_failures set window_started_at = now() - interval '15 minutes 1 second'
    where failures >= 10 and window_started_at > now() - interval '1 minute'`;
  expect(await authenticatePassword(company.username, password, attacker)).toHaveProperty('accountId');
});

test('parallel guesses and other spellings of the username count too (T13)', async () => {
  const company = await makeCompany();
  const [attacker, other] = [newAddress(), newAddress()];
  const guesses = Array.from({ length: 30 }, () => authenticatePassword(company.username, 'salah', attacker));
  expect((await Promise.all(guesses)).filter((guess) => guess === 'wrong-password')).toHaveLength(10);
  const otherSpelling = company.username.replaceAll('i', 'İ');
  for (let guess = 0; guess < 10; guess++) await authenticatePassword(otherSpelling, 'salah', other);
  const mixedCase = company.username.replace('p', 'P');
  expect(await authenticatePassword(mixedCase, password, other)).toHaveProperty('waitSeconds');
});

test('guesses at the set-up code are slowed down by the same rule', async () => {
  const [attacker, name] = [newAddress(), randomUUID()];
  for (let guess = 0; guess < 10; guess++) expect(await checkSecret(name, false, attacker)).toBe('wrong');
  expect(await checkSecret(name, true, attacker)).toHaveProperty('waitSeconds');
  expect(await checkSecret(name, true, newAddress())).toBe('right');
});
