import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { listUnconfirmedSends } from '#server/sends/history/outcomes.ts';
import { listSends } from '#server/sends/history/send-list.ts';

test('a message stays listed until its active recipients have confirmed it, whatever follows', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [satu, dua] = [await company.hire('Satu Uji'), await company.hire('Dua Uji')];
  const [mustRead, mustConfirm] = ['Aturan baru', true];
  const no = await writeManualDraft(company, { title: mustRead, mustConfirm });
  const single = await writeManualDraft(company, { title: 'Slip', mustConfirm, ...toOne(satu.employeeId) });
  for (let sent = 0; sent < 3; sent++) await writeManualDraft(company);
  expect(await listUnconfirmedSends(company.owner)).toEqual([
    { no, title: mustRead, missing: 2 },
    { no: single, title: 'Slip', missing: 1 },
  ]);
  expect(await listUnconfirmedSends(company.owner, single)).toMatchObject([{ no: single }]);
  expect((await listSends(company.owner, { filter: { state: 'unconfirmed' } })).sends).toHaveLength(2);
  expect(await listUnconfirmedSends(other.owner)).toEqual([]);
  await sql()`insert into receipts (company_id, employee_id, no, confirmed_at)
    values (${satu.companyId}, ${satu.employeeId}, ${no}, now())`;
  expect(await listUnconfirmedSends(company.owner)).toMatchObject([{ missing: 1 }, { missing: 1 }]);
  await company.deactivate(dua);
  expect(await listUnconfirmedSends(company.owner)).toMatchObject([{ no: single }]);
});

test('of a company of 100,000 people only three messages are examined', async () => {
  const company = await makeCompany();
  await company.hire();
  for (let sent = 0; sent < 4; sent++) await writeManualDraft(company, { mustConfirm: true });
  await sql()`update companies set active_employees = 100000 where id = ${company.owner.companyId}`;
  expect(await listUnconfirmedSends(company.owner)).toHaveLength(3);
});
