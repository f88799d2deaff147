import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { makeCompany, must, password } from '#e2e/support/data/company.ts';
import { signIn } from '#e2e/support/data/owners.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { changePassword } from '#server/accounts/sign-in/account.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { findWeakness, type HashPlace, hashPassword, matchesPassword } from '#server/accounts/sign-in/passwords.ts';
import { createCompany } from '#server/companies/companies.ts';
import { acceptLink } from '#server/employees/personal-links.ts';

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

const check = (name: HashPlace['class'], group: string) => matchesPassword(undefined, 'salah', { class: name, group });

test('a stranger who guesses from one network takes no place of others', async () => {
  const guesses = Array.from({ length: 110 }, () => check('unknown', 'guesser'));
  expect(await check('unknown', 'other')).toBe(false);
  await Promise.all(guesses);
});

test('strangers from 500 networks take no place of a known person, or of one at a known address', async () => {
  const strangers = Array.from({ length: 500 }, (_, network) => check('unknown', `network ${network}`));
  const checked = (['unknown', 'here', 'known'] as const).map((name) => check(name, 'person'));
  expect(await Promise.all(checked)).toEqual(['busy', false, false]);
  await Promise.all(strangers);
});

const names = ['PT Melati Jaya Abadi', 'Budi Santoso', 'budi.santoso@melati.example'];

test.each([
  ...['1234567890', 'Password123', 'passwordpassword', 'qwertyuiop', 'Iloveyou!!2024', 'letmein 2024', '1111111111'],
  ...['abababababab', 'DRAGON12345', '12345dragon', 'mastermind', 'blackberry', 'lockerroom'],
])('%s is too common', async (typed) => {
  expect(await findWeakness(typed, names)).toBe('common-password');
});

test.each([
  ...['pt melati jaya abadi', 'PTMelatiJayaAbadi2024', 'Melati2024!', 'budi santoso', 'BudiSantoso99', '1998budi1998'],
  ...['budi.santoso@melati.example', 'santososantoso', 'MELATI melati'],
])('%s is only a name', async (typed) => {
  expect(await findWeakness(typed, names)).toBe('own-name');
});

// Not in the title: no report may have the password of the tests.
test('other passwords may be chosen', async () => {
  const chosen = ['kuda benar baterai', 'budi suka melati', 'p3nbk4dg4b4u', '7h2k9-qm4vx', '839201748261love'];
  for (const typed of [password, ...chosen]) expect([typed, await findWeakness(typed, names)]).toEqual([typed, null]);
});

test('neither set-up, nor an invitation, nor a change takes such a password', async () => {
  const company = await makeCompany('PT Kenanga Wangi');
  const wanted = { companyName: 'PT Kenanga', timeZone: 'Asia/Jakarta', ownerName: 'Sri', username: 'sri-kenanga' };
  expect(await createCompany({ ...wanted, password: 'Kenanga123' })).toBe('own-name');
  expect(await createCompany({ ...wanted, password: 'password123' })).toBe('common-password');
  const token = await company.invite(await company.hire('Wati Lestari'));
  expect(await acceptLink(token, 'wati', 'watilestari')).toBe('own-name');
  expect(await acceptLink(token, 'wati', 'iloveyou1234')).toBe('common-password');
  const link = must(await inviteOwner(company.owner, 'Joko Susilo'));
  expect(await acceptLink(link.token, 'joko', 'Joko Susilo 7')).toBe('own-name');
  const session = must((await authenticateSession(await signIn(company.username))) ?? 'no session');
  expect(await changePassword(session, password, 'Kenanga Wangi 1', '10.1.2.3')).toBe('own-name');
  expect(await changePassword(session, password, 'football1234', '10.1.2.3')).toBe('common-password');
});
