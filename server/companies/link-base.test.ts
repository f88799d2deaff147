import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { addOwner } from '#e2e/support/data/owners.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeLinkBase, findLinkBase } from '#server/companies/link-base.ts';
import { dismissAlarm, listAlarms } from '#server/keys/alarms.ts';

test('an owner names the portal that links lead to; the audit log has it, the other owners are warned', async () => {
  const company = await makeCompany();
  const { owner } = company;
  const { owner: other } = await addOwner(company, 'Pemilik Kedua');
  expect(await changeLinkBase(owner, 'http://hr.example.com')).toBe('not-https');
  expect(await findLinkBase(owner)).toBeNull();
  expect(await changeLinkBase(owner, 'https://hr.example.com/erp/')).toBe('changed');
  expect(await changeLinkBase(owner, 'https://hr.example.com/erp')).toBe('unchanged');
  expect(await findLinkBase(owner)).toBe('https://hr.example.com/erp');
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
