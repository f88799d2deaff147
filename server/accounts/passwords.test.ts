import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { hashPassword, matchesPassword } from '#server/accounts/passwords.ts';

vi.mock('@node-rs/argon2', { spy: true });

test('a password without a hash never matches, and is checked with the parameters of real hashes (T13)', async () => {
  const hash = await hashPassword('kata sandi');
  expect(await matchesPassword(hash, 'kata sandi')).toBe(true);
  expect(await matchesPassword(hash, 'salah')).toBe(false);
  expect(await matchesPassword(undefined, 'kata sandi')).toBe(false);
  const parameters = vi.mocked(verify).mock.calls.map(([checked]) => String(checked).split('$').slice(0, 4));
  expect(parameters).toEqual([parameters[0], parameters[0], parameters[0]]);
});
