import { expect, test } from 'vitest';
import { makeCompany, must } from '#e2e/support/data/company.ts';
import { content, toOne, toPeople, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { listAudit } from '#server/audit/list.ts';
import { findSendContent } from '#server/sends/history/details.ts';
import { remind } from '#server/sends/manual/remind.ts';
import { deleteTemplate, findTemplate, listTemplates, saveTemplate } from '#server/sends/manual/templates.ts';

const draft = { ...content, title: 'Rapat' } as const;

test('templates have unique names, are changed and deleted, and belong to one company', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const [own, foreign] = [await company.hire(), await other.hire()];
  const id = must(await saveTemplate(owner, null, 'Rapat Senin', { ...draft, ...toRoles('Kasir') }));
  expect(await saveTemplate(owner, null, 'rapat senin', draft)).toBe('name-taken');
  expect(await saveTemplate(other.owner, null, 'rapat senin', draft)).toEqual(expect.any(Number));
  const mixed = { ...draft, ...toPeople(own.employeeId, foreign.employeeId) };
  expect(await saveTemplate(owner, null, 'Asing', mixed)).toBe('not-in-company');
  const second = { ...draft, ...toPeople(own.employeeId), title: 'Gaji' };
  expect(await saveTemplate(owner, id, 'RAPAT SENIN', second)).toBe(id);
  expect(await findTemplate(owner, id)).toMatchObject({ name: 'RAPAT SENIN', ...second });
  expect(await saveTemplate(other.owner, id, 'Diambil', draft)).toBe('gone');
  expect(await deleteTemplate(other.owner, id)).toBe('gone');
  expect(await findTemplate(other.owner, id)).toBeNull();
  expect((await listTemplates(owner)).map(({ name }) => name)).toEqual(['RAPAT SENIN']);
  expect(await deleteTemplate(owner, id)).toBe('deleted');
  expect(await deleteTemplate(owner, id)).toBe('gone');
  const { entries } = await listAudit(owner, { limit: 3 });
  expect(entries.map(({ action }) => action)).toEqual(['template.delete', 'template.edit', 'template.create']);
});

test('a send can be sent again with its text and recipients; a reminder with those of its original', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const [one, two] = [await company.hire('Satu', 'Kasir'), await company.hire('Dua', 'Koki')];
  const kinds = [
    {},
    toOne(one.employeeId),
    { ...toRoles('Kasir', 'Koki'), mustConfirm: true },
    toPeople(one.employeeId, two.employeeId),
  ];
  for (const [at, to] of kinds.entries()) {
    await writeManualDraft(company, { ...draft, ...to });
    expect(await findSendContent(owner, at + 1)).toEqual({ ...draft, ...to });
    expect(await findSendContent(other.owner, at + 1)).toBeNull();
  }
  await remind(owner, 3, null);
  expect(await findSendContent(owner, 5)).toEqual({ ...draft, ...kinds[2] });
  await company.deactivate(one);
  await writeManualDraft(company, toPeople(one.employeeId));
  expect(await findSendContent(owner, 6), 'nobody is never everyone').toMatchObject(toPeople());
});
