import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { findGuessing } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';

const newAddress = () => `10.0.0.${randomUUID()}`;

test('the owner learns which account someone guesses, from how many addresses, until an hour later', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const username = await company.giveAccount(await company.hire('Sri Uji'));
  const [first, second, third] = [newAddress(), newAddress(), newAddress()];
  const guess = (address: string) => authenticatePassword(username, 'salah', address);
  await Promise.all(Array.from({ length: 9 }, () => [guess(first), guess(second)]).flat());
  await authenticatePassword(company.username, 'salah', third);
  await guess(third);
  expect(await findGuessing(company.owner)).toBeNull();
  await guess(third);
  expect(await findGuessing(company.owner)).toEqual({
    names: ['Sri Uji'],
    more: 0,
    failures: 20,
    addresses: 3,
    since: expect.any(Date),
  });
  expect(await findGuessing(other.owner)).toBeNull();
  await sql()`update failed_sign_ins set last_at = now() - interval '61 minutes'
    where company_id = ${company.owner.companyId}`;
  expect(await findGuessing(company.owner)).toBeNull();
});

test('a right password from the same address takes its failures back', async () => {
  const { owner, username } = await makeCompany();
  const address = newAddress();
  for (let at = 0; at < 3; at++) await authenticatePassword(username, 'salah', address);
  const count = async () => (await sql()`select from failed_sign_ins where company_id = ${owner.companyId}`).length;
  expect(await count()).toBe(1);
  expect(await authenticatePassword(username, password, newAddress())).toHaveProperty('accountId');
  expect(await count()).toBe(1);
  expect(await authenticatePassword(username, password, address)).toHaveProperty('accountId');
  expect(await count()).toBe(0);
});

test('one guess at each of many accounts is an alarm too', async () => {
  const company = await makeCompany();
  const { companyId, accountId } = company.owner;
  await sql()`insert into failed_sign_ins (company_id, account_id, source, failures)
    select ${companyId}, ${accountId}, sha256(n::text::bytea), 1 from generate_series(1, 19) n`;
  const insertOthers = (accounts: number) => sql()`
    with made as (insert into accounts (company_id, username, name, password_hash)
      select ${companyId}, gen_random_uuid()::text, 'Karyawan', '' from generate_series(1, ${accounts}::int) returning id)
    insert into failed_sign_ins (company_id, account_id, source) select ${companyId}, id, 'x' from made`;
  await insertOthers(80);
  expect(await findGuessing(company.owner)).toBeNull();
  await insertOthers(1);
  expect(await findGuessing(company.owner)).toMatchObject({ more: 79, failures: 100, addresses: 20 });
});
