import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { inTransaction, sql } from '#db/client.ts';
import { password } from '#e2e/support/data/company.ts';
import { authenticate } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { log } from '#platform/log/log.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { decodeKnownBrowser, rememberBrowser } from '#server/accounts/sign-in/cookies.ts';
import { asSubject, type SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { authenticatePassword, checkSecret } from '#server/accounts/sign-in/sign-in.ts';

const newAddress = () => `10.0.0.${randomUUID()}`;

test('every refused sign-in has one answer, after at least 400 ms (T13)', async ({ company, employee }) => {
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

test('10 failures in 15 minutes slow down that username from that address only (T13)', async ({ company, other }) => {
  const attacker = newAddress();
  await Promise.all(Array.from({ length: 10 }, () => authenticatePassword(company.username, 'salah', attacker)));
  const slowedDown = await authenticatePassword(company.username, password, attacker);
  expect(slowedDown).toEqual({ waitSeconds: expect.any(Number) });
  expect((slowedDown as { waitSeconds: number }).waitSeconds).toBeGreaterThan(14 * 60);
  const { companyId, accountId } = company.owner;
  const account = { companyId, accountId, sessionVersion: 1 };
  expect(await authenticatePassword(company.username.toUpperCase(), password, newAddress())).toEqual(account);
  expect(await authenticatePassword(other.username, password, attacker)).toHaveProperty('accountId');
  await sql()`update limit_counters set ends_at = now() - interval '1 s'
    where subject = ${asSubject(`pair\n${company.username.toLowerCase()}\n${attacker}`)}`;
  expect(await authenticatePassword(company.username, password, attacker)).toHaveProperty('accountId');
});

test('parallel guesses and other spellings of the username count too (T13)', async ({ company }) => {
  const [attacker, other] = [newAddress(), newAddress()];
  const guesses = Array.from({ length: 30 }, () => authenticatePassword(company.username, 'salah', attacker));
  expect((await Promise.all(guesses)).filter((guess) => guess === 'wrong-password')).toHaveLength(10);
  const otherSpelling = company.username.replaceAll('i', 'İ');
  for (let guess = 0; guess < 10; guess++) await authenticatePassword(otherSpelling, 'salah', other);
  const mixedCase = company.username.replace('p', 'P');
  expect(await authenticatePassword(mixedCase, password, other)).toHaveProperty('waitSeconds');
});

test('guesses at the set-up code are slowed down by the same rule, and logged', async () => {
  const [attacker, name] = [newAddress(), randomUUID()];
  const written = vi.spyOn(log(), 'info').mockImplementation(() => {});
  for (let guess = 0; guess < 10; guess++) expect(await checkSecret(name, false, attacker)).toBe('wrong');
  expect(await checkSecret(name, true, attacker)).toHaveProperty('waitSeconds');
  expect(await checkSecret(name, true, newAddress())).toBe('right');
  const lines = written.mock.calls.map(([line]) => line as object);
  written.mockRestore();
  expect(lines).toMatchObject([
    ...Array(10).fill({ outcome: 'refused', address: attacker }),
    { outcome: 'slowed-down', address: attacker },
  ]);
});

const browserOf = ({ name, value }: { name: string; value: string }) => decodeKnownBrowser(`a=1; ${name}=${value}`);

const setCounter = (text: string, uses: number, secondsAgo = 0) => sql()`
  insert into limit_counters (subject, uses, ends_at)
  values (${asSubject(text)}, ${uses}, now() + interval '15 minutes' - ${secondsAgo} * interval '1 s')
  on conflict (subject) do update set uses = excluded.uses, ends_at = excluded.ends_at`;

/** Counts `failures` wrong passwords of strangers for a name, the last one `secondsAgo`. */
const attack = (username: string, failures: number, secondsAgo = 0) =>
  setCounter(`name\n${username.toLowerCase()}`, failures, secondsAgo);

test('guesses at one name from many addresses wait longer and longer, also without an account', async ({ company }) => {
  for (const name of [`tidak-ada-${randomUUID()}`, company.username]) {
    const guess = () => authenticatePassword(name, 'salah', newAddress());
    const guesses = await Promise.all(Array.from({ length: 20 }, guess));
    expect(guesses).toEqual(guesses.map(() => 'wrong-password'));
    for (const [failures, seconds] of Object.entries({ 24: 16, 25: 32, 26: 60, 1000000: 60 })) {
      await attack(name, Number(failures));
      const { waitSeconds } = (await guess()) as { waitSeconds: number };
      expect([name, failures, waitSeconds > seconds / 2 && waitSeconds <= seconds]).toEqual([name, failures, true]);
    }
    // An attempt that came too early counts neither for the name nor for the address.
    await attack(name, 90, 61);
    expect(await guess()).toBe('wrong-password');
  }
});

test('guesses delay no known browser, however many there are and wherever they come from', async ({ username }) => {
  const address = newAddress();
  const known = await browserOf(await rememberBrowser(null, await authenticate(username)));
  await attack(username, 1_000_000);
  await setCounter(`address\n${address}`, 1_000_000);
  await setCounter(`pair\n${username.toLowerCase()}\n${address}`, 1_000_000);
  expect(await authenticatePassword(username, password, address)).toHaveProperty('waitSeconds');
  expect(await authenticatePassword(username, 'salah', address, known)).toBe('wrong-password');
  expect(await authenticatePassword(username, password, address, known)).toHaveProperty('accountId');
});

test('a new device waits at most 60 s while strangers guess; guesses meanwhile add nothing', async ({ username }) => {
  const device = newAddress();
  await attack(username, 1_000_000);
  const { waitSeconds } = (await authenticatePassword(username, password, device)) as SlowedDown;
  expect(waitSeconds).toBeLessThanOrEqual(60);
  const guess = () => authenticatePassword(username, 'salah', newAddress());
  for (const guessed of await Promise.all(Array.from({ length: 30 }, guess)))
    expect((guessed as SlowedDown).waitSeconds).toBeLessThanOrEqual(waitSeconds);
  await sql()`update limit_counters set ends_at = ends_at - ${waitSeconds} * interval '1 s'
    where subject = ${asSubject(`name\n${username.toLowerCase()}`)}`;
  expect(await authenticatePassword(username, password, device)).toHaveProperty('accountId');
});

test('strangers delay no right password of who has a session; wrong ones tell nothing', async ({ company }) => {
  const [office, mistyped] = [newAddress(), newAddress()];
  for (const address of [office, mistyped]) await openSession(company.owner, { address, client: 'a test' });
  await attack(company.username, 90);
  const tried = (typed: string, address: string) => authenticatePassword(company.username, typed, address);
  const unjudged = { waitSeconds: expect.any(Number) };
  expect(await tried(password, newAddress())).toEqual(unjudged);
  for (let failures = 0; failures < 5; failures++) expect(await tried('salah', mistyped)).toEqual(unjudged);
  expect(await tried(password, mistyped)).toEqual(unjudged);
  expect(await tried(password, office)).toHaveProperty('accountId');
});

test('300 failures slow a /64 down, over all names, except in a known browser', async ({ company, other }) => {
  const known = await browserOf(await rememberBrowser(null, await authenticate(company.username)));
  const group = () => Math.floor(Math.random() * 65536).toString(16);
  const network = `2001:db8:${group()}:1`;
  const guess = () => authenticatePassword(`tebak-${randomUUID()}`, 'salah', `${network}:${group()}::1`);
  for (let at = 0; at < 4; at++)
    expect(await Promise.all(Array.from({ length: 75 }, guess))).toEqual(Array(75).fill('wrong-password'));
  expect(await guess()).toEqual({ waitSeconds: expect.any(Number) });
  const address = `${network}::2`;
  expect(await authenticatePassword(company.username, password, address)).toHaveProperty('waitSeconds');
  expect(await authenticatePassword(company.username, password, address, known)).toHaveProperty('accountId');
  expect(await authenticatePassword(other.username, password, address, known)).toHaveProperty('waitSeconds');
  expect(await authenticatePassword(other.username, password, newAddress())).toHaveProperty('accountId');
});

test('of two attempts at a slowed-down name the one that is counted later must wait', async () => {
  const name = `tebak-${randomUUID()}`;
  const address = randomUUID();
  await attack(name, 30, 61);
  const { earlier, later } = await inTransaction(async (tx) => {
    await tx`insert into limit_counters (subject, uses, ends_at)
      values (${asSubject(`pair\n${name}\n${address}`)}, 0, now() + interval '15 minutes')`;
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    // It begins first, and waits for the row above before it is counted for the name.
    const begun = authenticatePassword(name, 'salah', address);
    const countBlocked = async () => {
      const blocked = await sql()`select from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      return blocked.length;
    };
    await expect.poll(countBlocked).toBe(1);
    return { earlier: [begun], later: await authenticatePassword(name, 'salah', newAddress()) };
  });
  expect(later).toBe('wrong-password');
  expect(await earlier[0]).toHaveProperty('waitSeconds');
});

test('in a browser that two accounts know, each has its own ten failures', async ({ company, other }) => {
  const { name, value } = await rememberBrowser(null, await authenticate(company.username));
  const shared = await browserOf(await rememberBrowser(`${name}=${value}`, await authenticate(other.username)));
  const guess = (username: string, typed: string) => authenticatePassword(username, typed, newAddress(), shared);
  for (let at = 0; at < 9; at++) await guess(company.username, 'salah');
  expect(await guess(other.username, password)).toHaveProperty('accountId');
  expect(await guess(company.username, 'salah')).toBe('wrong-password');
  expect(await guess(company.username, password)).toHaveProperty('waitSeconds');
  expect(await guess(other.username, password)).toHaveProperty('accountId');
});
