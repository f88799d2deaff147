import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { hashPassword, matchesPassword } from '#server/accounts/sign-in/passwords.ts';

vi.mock('@node-rs/argon2', { spy: true });

test('a password without a hash never matches, and is checked with the parameters of real hashes (T13)', async () => {
  const place = { class: 'unknown', group: 'a test' } as const;
  const hash = await hashPassword('kata sandi');
  expect(await matchesPassword(hash, 'kata sandi', place)).toBe(true);
  expect(await matchesPassword(hash, 'salah', place)).toBe(false);
  expect(await matchesPassword(undefined, 'kata sandi', place)).toBe(false);
  const parameters = vi.mocked(verify).mock.calls.map(([checked]) => String(checked).split('$').slice(0, 4));
  expect(parameters).toEqual([parameters[0], parameters[0], parameters[0]]);
});

test('strangers from 500 networks take no place of a person at an address of their sessions', async () => {
  const check = (name: 'here' | 'unknown', group: string) =>
    matchesPassword(undefined, 'salah', { class: name, group });
  const strangers = Array.from({ length: 500 }, (_, network) => check('unknown', `network ${network}`));
  expect(await Promise.all([check('unknown', 'person'), check('here', 'person')])).toEqual(['busy', false]);
  await Promise.all(strangers);
});

test('strangers who wait do not delay a known person or another stranger', async () => {
  const order: string[] = [];
  const check = (name: 'known' | 'unknown', group: string) =>
    matchesPassword(undefined, 'salah', { class: name, group }).then((checked) =>
      order.push(checked === 'busy' ? 'busy' : group),
    );
  const guesses = Array.from({ length: 110 }, () => check('unknown', 'guesser'));
  await Promise.all([check('unknown', 'other'), check('known', 'person'), ...guesses]);
  // In the order of arrival they would be the last two of a hundred; a busy machine may end some before.
  expect(order.filter((one) => one !== 'busy').slice(0, 50)).toEqual(expect.arrayContaining(['other', 'person']));
  expect(order.filter((one) => one === 'busy').length).toBeGreaterThan(0);
});
