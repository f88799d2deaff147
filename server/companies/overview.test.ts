import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { expireKey, keep } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { countOutOfReach, findProgress, listKeysToCheck } from '#server/companies/overview.ts';
import { addMyself } from '#server/employees/employees.ts';
import { flushVisits, queueVisit, type SoundState } from '#server/employees/portal-visits.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import type { Employee } from '#server/principals.ts';

test('an employee who may not hear a send is counted once, under the first reason', async () => {
  const { owner, hire, giveAccount, deactivate } = await makeCompany();
  const [, opened, silent, away] = [await hire(), await hire(), await hire(), await hire(), await hire()];
  for (const person of [opened, silent, away] as Employee[]) await giveAccount(person);
  await giveAccount(await hire());
  await deactivate(await hire());
  const visit = (person: Employee, sound: SoundState) =>
    queueVisit({ employee: person, lastVisit: null }, randomUUID(), sound);
  visit(opened as Employee, 'on');
  visit(silent as Employee, 'blocked');
  visit(away as Employee, 'on');
  await flushVisits();
  await sql()`update portals set seen_at = now() - interval '8 days'
    where company_id = ${owner.companyId} and employee_id = ${(away as Employee).employeeId}`;
  expect(await countOutOfReach(owner)).toEqual({ active: 6, noAccount: 2, neverSeen: 1, notSeenLately: 1, noSound: 1 });
  expect(await countOutOfReach((await makeCompany()).owner)).toMatchObject({ active: 0, noAccount: 0 });
});

test('the first steps are found one by one, and other companies do not count', async () => {
  const { owner, hire, newKey, giveAccount, deactivate } = await makeCompany();
  const none = { hasKey: false, hasSend: false, hasSeen: false, first: null };
  await (await makeCompany()).hire();
  expect(await findProgress(owner)).toEqual(none);
  const siti = await hire('Siti');
  await newKey();
  const first = { id: siti.employeeId, name: 'Siti', hasAccount: false, isMe: false };
  expect(await findProgress(owner)).toEqual({ ...none, hasKey: true, first });
  const budi = await hire('Budi');
  await giveAccount(budi);
  const joined = { id: budi.employeeId, name: 'Budi', hasAccount: true, isMe: false };
  expect(await findProgress(owner), 'who has an account comes first').toMatchObject({ first: joined });
  await deactivate(budi);
  expect(await findProgress(owner)).toMatchObject({ first });
  const me = { id: await addMyself(owner, 'Pemilik'), name: 'Pemilik Uji', hasAccount: true, isMe: true };
  expect(await findProgress(owner)).toMatchObject({ first: me });
});

test('keys to check: revoked but calling, often refused, unused for 90 days', async () => {
  const { owner, newKey } = await makeCompany();
  await (await makeCompany()).newKey('milik orang lain');
  const idOf = async (key: string) => {
    const [row] = await sql()<{ id: number }[]>`select id from api_keys where fingerprint = ${fingerprintOf(key)}`;
    return row?.id ?? 0;
  };
  const [calling, refused, unused] = [await newKey('dicabut'), await newKey('ditolak'), await newKey('lama')];
  await newKey('baru');
  await sql()`update api_keys set created_at = now() - interval '91 days' where id = ${await idOf(unused)}`;
  await sql()`insert into key_traffic (company_id, key_id, hour, requests, refused)
    values (${owner.companyId}, ${await idOf(refused)}, date_trunc('hour', now()), 10, 2)`;
  await revokeKey(owner, await idOf(calling));
  await sql()`insert into refusals (company_id, at, request_id, key_id, code, operation, address, client, more)
    values (${owner.companyId}, now(), gen_random_uuid(), ${await idOf(calling)}, 'key_rejected', 'GET', '203.0.113.7', 'curl/8', 2)`;
  expect(await listKeysToCheck(owner)).toMatchObject([
    { name: 'dicabut', what: 'revoked-calling', count: 3, address: '203.0.113.7' },
    { name: 'ditolak', what: 'refused', count: 2, requests: 10 },
    { name: 'lama', what: 'unused', lastCallAt: null },
  ]);
});

test('keys to check: expiring within 7 days, expired lately, and expired but still calling', async () => {
  const { owner, newKey } = await makeCompany();
  const days = (count: number) => count * 24 * 60 * 60;
  for (const [name, end] of [
    ['dua hari lagi', 2],
    ['delapan hari lagi', 8],
    ['kemarin', -1],
    ['bulan lalu', -30],
  ] as const)
    await expireKey(await newKey(name), days(end));
  const forgotten = await newKey('dilupakan');
  await expireKey(forgotten, days(-30));
  await keep({ fingerprint: fingerprintOf(forgotten), rejection: { code: 'key_rejected' } });
  expect(await listKeysToCheck(owner)).toMatchObject([
    { name: 'kemarin', what: 'expired', count: 0 },
    { name: 'dilupakan', what: 'expired', count: 1 },
    { name: 'dua hari lagi', what: 'expiring', on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
  ]);
});
