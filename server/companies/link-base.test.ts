import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { addOwner } from '#e2e/support/data/owners.ts';
import { findSettings } from '#server/audit/company-settings.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeEmbedOrigins, changeLinkBase, mayEmbed } from '#server/companies/link-base.ts';
import { dismissAlarm, listAlarms } from '#server/keys/alarms.ts';
import type { Owner, Session } from '#server/principals.ts';

test('an owner names the portal that links lead to; the audit log has it, the other owners are warned', async () => {
  const company = await makeCompany();
  const { owner } = company;
  const { owner: other } = await addOwner(company, 'Pemilik Kedua');
  expect(await changeLinkBase(owner, 'http://hr.example.com')).toBe('not-https');
  expect(await findSettings(owner, ['linkBase'])).toEqual({ linkBase: null });
  expect(await changeLinkBase(owner, 'https://hr.example.com/erp/')).toBe('changed');
  expect(await changeLinkBase(owner, 'https://hr.example.com/erp')).toBe('unchanged');
  expect(await findSettings(owner, ['linkBase'])).toEqual({ linkBase: 'https://hr.example.com/erp' });
  const [entry] = (await listAudit(owner, {})).entries;
  expect(entry).toMatchObject({
    action: 'company.edit',
    details: { changes: { linkBase: 'https://hr.example.com/erp' } },
  });
  expect(await listAlarms(owner)).toEqual([]);
  const alarm = { kind: 'links-changed', title: 'https://hr.example.com/erp', source: { accountId: owner.accountId } };
  expect(await listAlarms(other)).toMatchObject([alarm]);
  expect(await changeLinkBase(owner, '')).toBe('changed');
  expect(await listAlarms(other)).toMatchObject([{ ...alarm, title: '' }]);
  expect(await dismissAlarm(other, 'links-changed', { accountId: owner.accountId })).toBe('dismissed');
  expect(await listAlarms(other)).toEqual([]);
  const neighbour = await makeCompany();
  expect(await listAlarms(neighbour.owner)).toEqual([]);
});

test('a host has only letters, digits, dots and hyphens', async () => {
  const { owner } = await makeCompany();
  for (const host of [
    '*',
    '*.example.com',
    'a;b.test',
    'a,b.test',
    "a'b.test",
    'hr.example.com.',
    'a..b.test',
    '[::1]',
  ]) {
    expect([host, await changeEmbedOrigins(owner, `https://hr.test https://${host}`)]).toEqual([host, 'odd-host']);
    expect([host, await changeLinkBase(owner, `https://${host}`)]).toEqual([host, 'odd-host']);
  }
  expect(await findSettings(owner, ['embedOrigins'])).toEqual({ embedOrigins: [] });
  expect(await changeEmbedOrigins(owner, 'https://Hr-2.xn--bcher-kva.example:8443 https://bücher.example')).toBe(
    'changed',
  );
});

test('an owner lists the pages that may show the bell, for their own company', async () => {
  const { owner } = await makeCompany();
  const origin = `https://${randomUUID()}.example.com`;
  expect(await changeEmbedOrigins(owner, 'http://hr.example.com')).toBe('not-an-origin');
  expect(await changeEmbedOrigins(owner, `${origin}/a?b`)).toBe('not-an-origin');
  const eleven = Array.from({ length: 11 }, (_, index) => `https://hr${index}.example.com`).join('\n');
  expect(await changeEmbedOrigins(owner, eleven)).toBe('too-many');
  expect(await findSettings(owner, ['embedOrigins'])).toEqual({ embedOrigins: [] });
  expect(await changeEmbedOrigins(owner, ` ${origin}/web\n\n${origin} https://intranet.example.com:8443`)).toBe(
    'changed',
  );
  expect(await changeEmbedOrigins(owner, `${origin} https://intranet.example.com:8443/`)).toBe('unchanged');
  const [entry] = (await listAudit(owner, {})).entries;
  const embedOrigins = `${origin}, https://intranet.example.com:8443`;
  expect(entry).toMatchObject({ action: 'company.edit', details: { changes: { embedOrigins } } });
  const sessionOf = ({ companyId }: Owner) => ({ account: { companyId } }) as Session;
  const { owner: neighbour } = await makeCompany();
  const asked = [null, sessionOf(owner), sessionOf(neighbour)].map((session) => mayEmbed(session, origin));
  expect(await Promise.all(asked)).toEqual([true, true, false]);
  expect(await mayEmbed(sessionOf(owner), `${origin}.evil.test`)).toBe(false);
});
