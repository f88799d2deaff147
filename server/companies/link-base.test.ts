import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { expireKey, keep } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { addOwner } from '#e2e/support/data/owners.ts';
import { makePng } from '#e2e/support/data/pictures.ts';
import { words } from '#e2e/support/data/random.ts';
import { test } from '#e2e/support/data/test.ts';
import { rememberBrowser } from '#server/accounts/sign-in/cookies.ts';
import { listAudit } from '#server/audit/list.ts';
import { findSettings } from '#server/audit/record.ts';
import { changeEmbedOrigins, changeLinkBase, mayEmbed } from '#server/companies/link-base.ts';
import { findLogo, findLogoOfBrowser, readLogo, removeLogo, setLogo } from '#server/companies/logo.ts';
import { countOutOfReach, findProgress, listKeysToCheck } from '#server/companies/overview.ts';
import { addMyself } from '#server/employees/employees.ts';
import { flushVisits, queueVisit, type SoundState } from '#server/employees/portal-visits.ts';
import { dismissAlarm, listAlarms } from '#server/keys/alarms.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import type { Employee, Owner, Session } from '#server/principals.ts';

test('an owner names the portal of links; the audit log has it, other owners are warned', async ({ company }) => {
  const { owner } = company;
  const { owner: other } = await addOwner(company, 'Pemilik Kedua');
  expect(await changeLinkBase(owner, 'http://hr.example.com')).toBe('not-https');
  expect(await findSettings(owner, ['linkBase'])).toEqual({ linkBase: null });
  expect(await changeLinkBase(owner, 'https://hr.example.com/erp/')).toBe('changed');
  expect(await changeLinkBase(owner, 'https://hr.example.com/erp')).toBe('unchanged');
  expect(await findSettings(owner, ['linkBase'])).toEqual({ linkBase: 'https://hr.example.com/erp' });
  const [entry] = (await listAudit(owner, {})).entries;
  const changes = { linkBase: 'https://hr.example.com/erp' };
  expect(entry).toMatchObject({ action: 'company.edit', details: { changes } });
  expect(await listAlarms(owner)).toEqual([]);
  const alarm = { kind: 'links-changed', title: 'https://hr.example.com/erp', source: { accountId: owner.accountId } };
  expect(await listAlarms(other)).toMatchObject([alarm]);
  expect(await changeLinkBase(owner, '')).toBe('changed');
  expect(await listAlarms(other)).toMatchObject([{ ...alarm, title: '' }]);
  expect(await dismissAlarm(other, 'links-changed', { accountId: owner.accountId })).toBe('dismissed');
  expect(await listAlarms(other)).toEqual([]);
  expect(await listAlarms((await makeCompany()).owner)).toEqual([]);
});

test('an owner lists the pages that may show the bell, by hosts of letters, digits and hyphens', async ({ owner }) => {
  const origin = `https://${randomUUID()}.example.com`;
  for (const host of words("* *.example.com a;b.test a,b.test a'b.test hr.example.com. a..b.test [::1]")) {
    expect([host, await changeEmbedOrigins(owner, `https://hr.test https://${host}`)]).toEqual([host, 'odd-host']);
    expect([host, await changeLinkBase(owner, `https://${host}`)]).toEqual([host, 'odd-host']);
  }
  expect(await changeEmbedOrigins(owner, 'http://hr.example.com')).toBe('not-an-origin');
  expect(await changeEmbedOrigins(owner, `${origin}/a?b`)).toBe('not-an-origin');
  const eleven = Array.from({ length: 11 }, (_, index) => `https://hr${index}.example.com`).join('\n');
  expect(await changeEmbedOrigins(owner, eleven)).toBe('too-many');
  expect(await findSettings(owner, ['embedOrigins'])).toEqual({ embedOrigins: [] });
  const pasted = ` ${origin}/web\n\n${origin} https://intranet.example.com:8443`;
  expect(await changeEmbedOrigins(owner, pasted)).toBe('changed');
  expect(await changeEmbedOrigins(owner, `${origin} https://intranet.example.com:8443/`)).toBe('unchanged');
  const [entry] = (await listAudit(owner, {})).entries;
  const embedOrigins = `${origin}, https://intranet.example.com:8443`;
  expect(entry).toMatchObject({ action: 'company.edit', details: { changes: { embedOrigins } } });
  const sessionOf = ({ companyId }: Owner) => ({ account: { companyId } }) as Session;
  const { owner: neighbour } = await makeCompany();
  const asked = [null, sessionOf(owner), sessionOf(neighbour)].map((session) => mayEmbed(session, origin));
  expect(await Promise.all(asked)).toEqual([true, true, false]);
  expect(await mayEmbed(sessionOf(owner), `${origin}.evil.test`)).toBe(false);
  const international = 'https://Hr-2.xn--bcher-kva.example:8443 https://bücher.example';
  expect(await changeEmbedOrigins(owner, international)).toBe('changed');
});

test('a logo is set, replaced and removed for one company, each time audited', async ({ other, owner }) => {
  expect(await setLogo(owner, makePng(8, 4, 1))).toBe('changed');
  const first = await findLogo(owner);
  expect(first).toMatchObject({ width: 8, height: 4, version: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(await setLogo(owner, makePng(8, 4, 1))).toBe('unchanged');
  expect(await setLogo(owner, makePng(8, 4, 2))).toBe('changed');
  const second = await findLogo(owner);
  for (const version of [first?.version, '\0']) expect(await readLogo(owner, version)).toBeNull();
  expect((await readLogo(owner, second?.version))?.subarray(1, 4).toString()).toBe('PNG');
  expect(await readLogo(other.owner, second?.version)).toBeNull();
  expect(await removeLogo(other.owner)).toBe('no-logo');
  expect(await removeLogo(owner)).toBe('removed');
  expect(await findLogo(owner)).toBeNull();
  const changes = (await listAudit(owner)).entries.filter(({ action }) => action === 'company.edit');
  const logos = ['', second?.version, first?.version].map((logo) => ({ logo }));
  expect(changes.map(({ details }) => details.changes)).toEqual(logos);
});

test('a browser gets the logo of the company that signed in there last, while it may', async ({ company, other }) => {
  const { companyId, accountId } = company.owner;
  await setLogo(company.owner, makePng(8, 4, 3));
  const cookieOf = async (account: { companyId: number; accountId: number; sessionVersion: number }, before = '') => {
    const { name, value } = await rememberBrowser(before, account);
    return `${name}=${value}`;
  };
  const own = await cookieOf({ companyId, accountId, sessionVersion: 1 });
  expect(await findLogoOfBrowser(own)).toMatchObject({ companyId, width: 8 });
  expect(await findLogoOfBrowser(await cookieOf({ companyId, accountId, sessionVersion: 0 }))).toBeNull();
  const later = { companyId: other.owner.companyId, accountId: other.owner.accountId, sessionVersion: 1 };
  expect(await findLogoOfBrowser(await cookieOf(later, own))).toBeNull();
  expect(await findLogoOfBrowser(null)).toBeNull();
  expect(await findLogoOfBrowser(`${own.split('=')[0]}=made-up`)).toBeNull();
});

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
  const ends = { 'dua hari lagi': 2, 'delapan hari lagi': 8, kemarin: -1, 'bulan lalu': -30 };
  for (const [name, end] of Object.entries(ends)) await expireKey(await newKey(name), days(end));
  const forgotten = await newKey('dilupakan');
  await expireKey(forgotten, days(-30));
  await keep({ fingerprint: fingerprintOf(forgotten), rejection: { code: 'key_rejected' } });
  expect(await listKeysToCheck(owner)).toMatchObject([
    { name: 'kemarin', what: 'expired', count: 0 },
    { name: 'dilupakan', what: 'expired', count: 1 },
    { name: 'dua hari lagi', what: 'expiring', on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
  ]);
});
