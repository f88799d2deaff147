import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asManager } from '#db/person-transaction.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft, toOne, toPeople, toRoles } from '#e2e/support/data/sends.ts';
import { removeManager } from '#server/accounts/owners/owners.ts';
import { listAudit } from '#server/audit/list.ts';
import { RightsEnded } from '#server/principals.ts';
import type { ManualDraft } from '#server/sends/manual/drafts.ts';
import { insertManualSend, sendManually } from '#server/sends/manual/send-manually.ts';

const draftOf = (to: Partial<ManualDraft>): ManualDraft => ({
  ...{ ...keyDraft, draftId: randomUUID(), mustConfirm: false },
  ...to,
});

test('a send to roles or people is one row, counts each person once and skips inactive ones', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const [one, two, gone] = [
    await company.hire('Satu', 'Kasir'),
    await company.hire('Dua', 'Koki'),
    await company.hire('Tiga', 'Kasir'),
  ];
  await company.hire('Empat', 'kasir');
  await other.hire('Tetangga', 'Kasir');
  await company.deactivate(gone);
  const ids = [one, two, gone].map(({ employeeId }) => employeeId);
  const send = (to: Partial<ManualDraft>) => sendManually(owner, draftOf(to));
  expect(await send(toRoles('Kasir', 'Koki', 'Kasir'))).toEqual({
    no: 1,
    reach: 2,
    skipped: 1,
  });
  expect(await send(toRoles('Kasir', 'Bekas'))).toEqual({
    no: 2,
    reach: 1,
    skipped: 1,
  });
  expect(await send(toPeople(...ids, ...ids))).toEqual({
    no: 3,
    reach: 2,
    skipped: 1,
  });
  expect(await send(toPeople(gone.employeeId))).toEqual({
    no: 4,
    reach: 0,
    skipped: 1,
  });
  const { entries } = await listAudit(owner, { limit: 4 });
  expect(entries.map(({ action, details }) => [action, details.no, details.toRoles ?? details.toPeople])).toEqual([
    ['notification.send', 4, [gone.employeeId]],
    ['notification.send', 3, ids],
    ['notification.send', 2, ['Kasir', 'Bekas']],
    ['notification.send', 1, ['Kasir', 'Koki']],
  ]);
  const stored =
    await sql()`select no, employee_id as id from notification_people where company_id = ${owner.companyId} order by no, id`;
  expect(stored.map(({ no, id }) => [no, id])).toEqual([
    [3, one.employeeId],
    [3, two.employeeId],
  ]);
});

test('a send to nobody of the company, or to people of another one, stores nothing', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [own, foreign] = [await company.hire('Satu', 'Kasir'), await other.hire('Dua', 'Koki')];
  const refused: Partial<ManualDraft>[] = [
    toOne(foreign.employeeId),
    toPeople(own.employeeId, foreign.employeeId),
    toPeople(own.employeeId, 2 ** 40),
    toPeople(own.employeeId, -1),
    toPeople(),
    toRoles('Koki'),
    toRoles(),
  ];
  for (const to of refused) expect(await sendManually(company.owner, draftOf(to))).toBe('not-in-company');
  expect(await sendManually(company.owner, draftOf(toRoles('Kasir')))).toMatchObject({
    no: 1,
  });
});

test('a person who is no owner or manager any more sends to nobody', async () => {
  const company = await makeCompany();
  const { employeeId } = await company.hire('Satu', 'Kasir');
  const manager = await company.addManager();
  const kinds: Partial<ManualDraft>[] = [{}, toOne(employeeId), toRoles('Kasir'), toPeople(employeeId)];
  for (const to of kinds) expect(await sendManually(manager, draftOf(to))).toMatchObject({ reach: 1 });
  await removeManager(company.owner, manager.accountId);
  for (const to of kinds) await expect(sendManually(manager, draftOf(to))).rejects.toThrow(RightsEnded);
});

test('each kind of recipient can be sent in a transaction of the caller, once for each draft', async () => {
  const company = await makeCompany();
  const { employeeId } = await company.hire('Satu', 'Kasir');
  const kinds: Partial<ManualDraft>[] = [{}, toOne(employeeId), toRoles('Kasir'), toPeople(employeeId)];
  for (const [at, to] of kinds.entries()) {
    const draft = draftOf(to);
    const insert = () => asManager(company.owner, (tx) => insertManualSend(tx, company.owner, draft));
    expect(await insert()).toMatchObject({ no: at + 1, reach: 1, hasDevices: false });
    expect(await insert()).toEqual({ no: at + 1, reach: 1, skipped: at < 2 ? null : 0 });
  }
});
