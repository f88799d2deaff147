import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, password } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { recordDenial } from '#server/accounts/sign-in/denials.ts';
import { findGuessing } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { asSubject, countUse, limits, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit } from '#server/audit/list.ts';
import { deletions } from '#server/jobs/hourly-jobs.ts';
import { dismissAlarm, listAlarms } from '#server/keys/alarms.ts';
import type { Account } from '#server/principals.ts';

const newPerson = () => subjectsOf({ companyId: randomInt(2 ** 31), accountId: randomInt(2 ** 31) });
const hashOf = (...parts: (string | number)[]) => asSubject(parts.join('\n'));
const repeat = <Value>(times: number, act: () => Promise<Value>) => Promise.all(Array.from({ length: times }, act));
const countedIn = async (...parts: (string | number)[]) => {
  const [row] = await sql()`select uses from limit_counters where subject = ${hashOf(...parts)}`;
  return row?.uses;
};

// The clock of a busy machine must not end a window during a test.
const openWindow = (...parts: (string | number)[]) =>
  sql()`insert into limit_counters (subject, uses, ends_at) values (${hashOf(...parts)}, 0, now() + interval '1 day')`;

test('of parallel uses exactly as many are allowed as the limit says; refused ones do not count', async () => {
  const who = newPerson();
  for (const window of ['minute', 'hour']) await openWindow('broadcast', 'account', window, who.account);
  const waits = await repeat(60, () => countUse('broadcast', who));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(limits.broadcast.account.minute);
  const before = await countedIn('broadcast', 'account', 'hour', who.account);
  await repeat(20, () => countUse('broadcast', who));
  expect(await countedIn('broadcast', 'account', 'hour', who.account)).toBe(before);
  expect(await countUse('send', who)).toBe(0);
  // Another account of the company goes on.
  expect(await countUse('broadcast', { ...newPerson(), company: who.company })).toBe(0);
});

test('accounts share what their company may do', async () => {
  const { company } = newPerson();
  const [first, second] = [newPerson(), newPerson()].map(({ account }) => ({ account, company }));
  if (!first || !second) throw new Error('two people');
  await countUse('export', first);
  await sql()`update limit_counters set uses = ${limits.export.company.day}
    where subject = ${hashOf('export', 'company', 'day', company)}`;
  expect(await countUse('export', second)).toBeGreaterThan(0);
});

test('a window begins with its first use; its count stays until it ends, and then goes', async () => {
  const who = newPerson();
  const ofHour = hashOf('export', 'account', 'hour', who.account);
  const endOfWindow = async () =>
    (await sql()`select ends_at as at from limit_counters where subject = ${ofHour}`)[0]?.at;
  const inAnHour = async () => (await sql()`select now() + interval '1 hour' as at`)[0]?.at;
  const earliest = await inAnHour();
  expect(await countUse('export', who)).toBe(0);
  const [end, latest] = [await endOfWindow(), await inAnHour()];
  expect([earliest, end, latest]).toEqual([earliest, end, latest].toSorted((one, other) => one - other));
  for (let used = 1; used < limits.export.account.hour; used++) expect(await countUse('export', who)).toBe(0);
  const seconds = await countUse('export', who);
  expect([seconds > 0 && seconds <= 3600, await endOfWindow()]).toEqual([true, end]);
  await sql()`update limit_counters set ends_at = now() - interval '1 s' where subject = ${ofHour}`;
  await deletions.get('limit_counters')?.();
  expect(await countedIn('export', 'account', 'hour', who.account)).toBeUndefined();
  expect(await countUse('export', who)).toBe(0);
  expect(await countedIn('export', 'account', 'day', who.account)).toBe(limits.export.account.hour + 1);
});

test('docs/security.md prints the limits', () => {
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const printed = [...page.matchAll(/^(\w+) +([\d,–]+(?:\/[\d,–]+){2}) +(\S+)/gm)].map(([, ...cells]) => cells);
  const most = (count?: number) => count?.toLocaleString('en') ?? '–';
  const cell = ({ minute, hour, day }: Partial<Record<'minute' | 'hour' | 'day', number>> = {}) =>
    [minute, hour, day].map(most).join('/');
  const wanted = Object.entries<Partial<Record<string, object>>>(limits).map(([name, { company, ...one }]) => [
    name,
    ...[...Object.values(one), company].map((budget) => cell(budget)),
  ]);
  expect(printed).toEqual(wanted);
});

const denials = async ({ owner }: Company) => {
  const { entries } = await listAudit(owner, { filter: { action: 'access.deny' } });
  return entries.map(({ actorId, details }) => [actorId, details.target, details.reason]);
};

test('1,000 denials of an account are one entry an hour and target, and one alarm', async ({ company, other }) => {
  const manager = await company.addManager('Manajer Satu');
  const account: Account = { ...manager, language: null };
  const subject = `denied\n${account.companyId}:${account.accountId}`;
  const flood = (times: number) => {
    for (let at = 0; at < times; at++)
      recordDenial(account, at % 2 ? 'createKeyAction' : `/owner/audit/${at}`, 'no-rights');
  };
  flood(9);
  const countUses = async () =>
    (await sql()`select uses from limit_counters where subject = ${asSubject(subject)}`)[0]?.uses;
  const settled = (all: number) => expect.poll(countUses, { timeout: 60_000 }).toBe(all);
  await settled(9);
  expect(await listAlarms(company.owner)).toEqual([]);
  flood(991);
  await settled(1000);
  expect((await denials(company)).toSorted()).toEqual([
    [manager.accountId, '/owner/audit', 'no-rights'],
    [manager.accountId, 'createKeyAction', 'no-rights'],
  ]);
  const source = { accountId: manager.accountId };
  const alarm = { kind: 'denied-requests', source, name: 'Manajer Satu', count: 1000 };
  expect(await listAlarms(company.owner)).toMatchObject([alarm]);
  expect([await denials(other), await listAlarms(other.owner)]).toEqual([[], []]);
  expect(await dismissAlarm(company.owner, 'denied-requests', source)).toBe('dismissed');
  flood(9);
  await settled(1009);
  expect(await listAlarms(company.owner)).toEqual([]);
  await sql()`update limit_counters set ends_at = now() - interval '1 s'
    where subject = ${asSubject(`${subject}\ncreateKeyAction`)}`;
  recordDenial(account, 'createKeyAction', 'rights-ended');
  await settled(1010);
  expect(await denials(company)).toHaveLength(3);
  expect(await listAlarms(company.owner)).toMatchObject([{ ...alarm, count: 1010, title: 'createKeyAction' }]);
});

const newAddress = () => `10.0.0.${randomUUID()}`;

test('the owner learns for an hour which account is guessed, from how many addresses', async ({ company, other }) => {
  const username = await company.giveAccount(await company.hire('Sri Uji'));
  const [first, second, third] = [newAddress(), newAddress(), newAddress()];
  const guess = (address: string) => authenticatePassword(username, 'salah', address);
  await Promise.all(Array.from({ length: 9 }, () => [guess(first), guess(second)]).flat());
  await authenticatePassword(company.username, 'salah', third);
  await guess(third);
  expect(await findGuessing(company.owner)).toBeNull();
  await guess(third);
  const guessing = { names: ['Sri Uji'], more: 0, failures: 20, addresses: 3, since: expect.any(Date) };
  expect(await findGuessing(company.owner)).toEqual(guessing);
  expect(await findGuessing(other.owner)).toBeNull();
  await sql()`update failed_sign_ins set last_at = now() - interval '61 minutes'
    where company_id = ${company.owner.companyId}`;
  expect(await findGuessing(company.owner)).toBeNull();
});

test('a right password from the same address takes its failures back', async ({ owner, username }) => {
  const address = newAddress();
  for (let at = 0; at < 3; at++) await authenticatePassword(username, 'salah', address);
  const count = async () => (await sql()`select from failed_sign_ins where company_id = ${owner.companyId}`).length;
  expect(await count()).toBe(1);
  expect(await authenticatePassword(username, password, newAddress())).toHaveProperty('accountId');
  expect(await count()).toBe(1);
  expect(await authenticatePassword(username, password, address)).toHaveProperty('accountId');
  expect(await count()).toBe(0);
});

test('one guess at each of many accounts is an alarm too', async ({ company }) => {
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
