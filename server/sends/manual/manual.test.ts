import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { must } from '#e2e/support/data/company.ts';
import { aDraft, content, toOne, toPeople, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { removeOwner } from '#server/accounts/owners/owners.ts';
import { listAudit } from '#server/audit/list.ts';
import { RightsEnded } from '#server/principals.ts';
import type { ManualDraft } from '#server/sends/drafts.ts';
import { findSend, findSendContent } from '#server/sends/history/details.ts';
import { remind, sendManually } from '#server/sends/manual/send-manually.ts';
import { deleteTemplate, findTemplate, listTemplates, saveTemplate } from '#server/sends/manual/templates.ts';
import { planSend, sendPlannedNow } from '#server/sends/planned/planned-sends.ts';

// Who receives what after any history: audiences.model.test.ts.
test('a send to roles or people is one row, audited, and lists each recipient once', async ({ company, owner }) => {
  const [one, two, gone] = [await company.hire('Satu', 'Kasir'), await company.hire(), await company.hire()];
  await company.deactivate(gone);
  const ids = [one, two, gone].map(({ employeeId }) => employeeId);
  const sent = { reach: 1, skipped: 0 };
  expect(await sendManually(owner, aDraft(toRoles('Kasir', 'Bekas', 'Kasir')))).toEqual({ no: 1, ...sent });
  expect(await sendManually(owner, aDraft(toPeople(...ids, ...ids)))).toEqual({ no: 2, reach: 2, skipped: 1 });
  const { entries } = await listAudit(owner, { limit: 2 });
  expect(entries.map(({ action, details }) => [action, details.no, details.toRoles ?? details.toPeople])).toEqual([
    ['notification.send', 2, ids],
    ['notification.send', 1, ['Kasir', 'Bekas']],
  ]);
  const lists =
    await sql()`select no, employee_id as id from notification_people where company_id = ${owner.companyId} order by no, id`;
  const ofLists = [1, one.employeeId, 2, one.employeeId, 2, two.employeeId];
  expect(lists.flatMap(({ no, id }) => [no, id])).toEqual(ofLists);
  for (const to of [toRoles('Kasir'), toPeople(one.employeeId)]) {
    const repeated = aDraft(to);
    expect(await sendManually(owner, repeated)).toEqual(await sendManually(owner, repeated));
  }
});

test('a send to nobody of the company, or to people of another one, stores nothing', async ({ company, other }) => {
  const [own, foreign] = [await company.hire('Satu', 'Kasir'), await other.hire('Dua', 'Koki')];
  const lists = [[own.employeeId, foreign.employeeId], [own.employeeId, 2 ** 40], [own.employeeId, -1], []];
  const people = lists.map((ids) => toPeople(...ids));
  for (const to of [toOne(foreign.employeeId), ...people, toRoles('Koki'), toRoles()])
    expect(await sendManually(company.owner, aDraft(to))).toBe('not-in-company');
  expect(await sendManually(company.owner, aDraft(toRoles('Kasir')))).toMatchObject({ no: 1 });
});

test('a send with the draft id of a planned one stores nothing and leaves it as it was', async ({
  company,
  employee,
}) => {
  const draft = aDraft({ title: 'Rencana pemilik' });
  await planSend(company.owner, draft, new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
  const other = { ...draft, ...toOne(employee.employeeId), title: 'Ganti' };
  expect(await sendManually(await company.addManager(), other)).toBe('waits');
  expect(await sendPlannedNow(company.owner, draft.draftId)).toMatchObject({ state: 'sent' });
  expect(await findSend(company.owner, 1)).toMatchObject({ title: draft.title, sender: company.owner.name });
});

test('a person who is no owner or manager any more sends to nobody', async ({ company, manager }) => {
  const { employeeId } = await company.hire('Satu', 'Kasir');
  const kinds: Partial<ManualDraft>[] = [{}, toOne(employeeId), toRoles('Kasir'), toPeople(employeeId)];
  for (const to of kinds) expect(await sendManually(manager, aDraft(to))).toMatchObject({ reach: 1 });
  await removeOwner(company.owner, manager.accountId, 'manager');
  for (const to of kinds) await expect(sendManually(manager, aDraft(to))).rejects.toThrow(RightsEnded);
});

const rapat = { ...content, title: 'Rapat' } as const;

test('templates have unique names, are changed, deleted, and of one company', async ({ company, other, owner }) => {
  const [own, foreign] = [await company.hire(), await other.hire()];
  const id = must(await saveTemplate(owner, null, 'Rapat Senin', { ...rapat, ...toRoles('Kasir') }));
  expect(await saveTemplate(owner, null, 'rapat senin', rapat)).toBe('name-taken');
  expect(await saveTemplate(other.owner, null, 'rapat senin', rapat)).toEqual(expect.any(Number));
  const mixed = { ...rapat, ...toPeople(own.employeeId, foreign.employeeId) };
  expect(await saveTemplate(owner, null, 'Asing', mixed)).toBe('not-in-company');
  const second = { ...rapat, ...toPeople(own.employeeId), title: 'Gaji' };
  expect(await saveTemplate(owner, id, 'RAPAT SENIN', second)).toBe(id);
  expect(await findTemplate(owner, id)).toMatchObject({ name: 'RAPAT SENIN', ...second });
  expect(await saveTemplate(other.owner, id, 'Diambil', rapat)).toBe('gone');
  expect(await deleteTemplate(other.owner, id)).toBe('gone');
  expect(await findTemplate(other.owner, id)).toBeNull();
  expect((await listTemplates(owner)).map(({ name }) => name)).toEqual(['RAPAT SENIN']);
  expect(await deleteTemplate(owner, id)).toBe('deleted');
  expect(await deleteTemplate(owner, id)).toBe('gone');
  const { entries } = await listAudit(owner, { limit: 3 });
  expect(entries.map(({ action }) => action)).toEqual(['template.delete', 'template.edit', 'template.create']);
});

test('a send can be sent again; a reminder with the recipients of its original', async ({ company, other, owner }) => {
  const [one, two] = [await company.hire('Satu', 'Kasir'), await company.hire('Dua', 'Koki')];
  const both = toPeople(one.employeeId, two.employeeId);
  const kinds = [{}, toOne(one.employeeId), { ...toRoles('Kasir', 'Koki'), mustConfirm: true }, both];
  for (const [at, to] of kinds.entries()) {
    await writeManualDraft(company, { ...rapat, ...to });
    expect(await findSendContent(owner, at + 1)).toEqual({ ...rapat, ...to });
    expect(await findSendContent(other.owner, at + 1)).toBeNull();
  }
  await remind(owner, 3, null);
  expect(await findSendContent(owner, 5)).toEqual({ ...rapat, ...kinds[2] });
  await company.deactivate(one);
  await writeManualDraft(company, toPeople(one.employeeId));
  expect(await findSendContent(owner, 6), 'nobody is never everyone').toMatchObject(toPeople());
});
