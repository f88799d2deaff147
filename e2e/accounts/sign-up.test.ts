import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { callAction } from '#e2e/support/http/call-action.ts';
import { actionNamed } from '#e2e/support/service/build.ts';

const newNetwork = () => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}`;
const newName = () => `pendaftar-${randomUUID()}`;

async function call(action: string, input: Record<string, string>, address: string) {
  const { result } = await callAction({ headers: { 'x-forwarded-for': address } }, actionNamed(action), [input]);
  return result;
}

const signUp = (username: string, address: string) => {
  const company = { companyName: 'PT Pendaftar', timeZone: 'Asia/Jakarta', ownerName: 'Pendaftar' };
  return call('setupAction', { ...company, username, password }, address);
};

const isMade = (result: string | null) => result?.includes('"value"') ?? false;

test('where everyone may sign up, one address (IPv6: /64) creates three companies an hour', async () => {
  const network = newNetwork();
  for (const part of ['1', '2', '3']) expect(isMade(await signUp(newName(), `${network}::${part}`))).toBe(true);
  expect(await signUp(newName(), `${network}:a:b:c:d`)).toContain('waitSeconds');
  expect(isMade(await signUp(newName(), `${newNetwork()}::1`))).toBe(true);
});

test('an address asks for ten names an hour; after that taken and free ones have one answer', async () => {
  const [{ username: taken }, network] = [await makeCompany(), newNetwork()];
  const results = await Promise.all(Array.from({ length: 10 }, (_, at) => signUp(taken, `${network}::${at + 1}`)));
  for (const result of results) expect(result).toMatch(/duplicateUsername|waitSeconds/);
  for (const name of [taken, newName()]) {
    const result = await signUp(name, `${network}::1`);
    expect(result?.replace(/"waitSeconds":\d+/, '')).toBe(
      (await signUp(newName(), `${network}::2`))?.replace(/"waitSeconds":\d+/, ''),
    );
    expect(result).toContain('waitSeconds');
  }
});

test('an invitation chooses among ten names an hour', async () => {
  const company = await makeCompany();
  const token = await company.invite(await company.hire());
  const accept = (username: string) =>
    call('acceptInvitationAction', { token, username, password }, `${newNetwork()}::1`);
  for (let at = 0; at < 10; at++) expect(await accept(company.username)).toContain('duplicateUsername');
  for (const name of [company.username, newName()]) expect(await accept(name)).toContain('waitSeconds');
});

test('tokens that a stranger makes up are not counted, so they fill no table', async () => {
  const token = randomBytes(32).toString('base64url');
  for (let at = 0; at < 12; at++) {
    const made = await call('acceptInvitationAction', { token, username: newName(), password }, `${newNetwork()}::1`);
    expect(made).toContain('invalidInvitation');
  }
});
