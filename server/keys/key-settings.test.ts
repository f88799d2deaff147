import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/fixtures/calls.ts';
import { makeCompany } from '#harness/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { editKey } from '#server/keys/key-settings.ts';
import { replaceKey, revokeKey } from '#server/keys/keys.ts';

const settings = { note: 'di server kantor', mustConfirm: true, expectedEveryMinutes: 1440 };

const stored = async (companyId: number, id: number) =>
  (
    await sql()`
    select note, must_confirm as "mustConfirm", expected_every_minutes as "expectedEveryMinutes", expected_since as since
    from api_keys where company_id = ${companyId} and id = ${id}`
  )[0];

test('settings of a key are stored and audited; an expectation counts from its change', async () => {
  const company = await makeCompany();
  const { companyId, id } = await principalOf(await company.newKey('cron'));
  expect(await editKey(company.owner, id, settings)).toBe('edited');
  const first = await stored(companyId, id);
  expect(first).toMatchObject({ ...settings, since: expect.any(Date) });
  expect(await editKey(company.owner, id, { ...settings, note: null })).toBe('edited');
  expect(await stored(companyId, id)).toMatchObject({ note: null, since: first?.since });
  expect(await editKey(company.owner, id, { ...settings, note: null, expectedEveryMinutes: null })).toBe('edited');
  expect(await stored(companyId, id)).toMatchObject({ expectedEveryMinutes: null, since: null });
  const [last, second, edit] = (await listAudit(company.owner)).entries;
  expect(edit).toMatchObject({
    action: 'key.edit',
    details: {
      keyId: id,
      name: 'cron',
      changes: settings,
      was: { note: null, mustConfirm: false, expectedEveryMinutes: null },
    },
  });
  expect(second?.details).toMatchObject({ changes: { note: null }, was: { note: settings.note } });
  expect(last?.details).toMatchObject({ changes: { expectedEveryMinutes: null } });
});

test('nothing is written without a change, and foreign or revoked keys cannot be changed', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { companyId, id } = await principalOf(await company.newKey());
  await editKey(company.owner, id, settings);
  const before = (await listAudit(company.owner)).entries.length;
  expect(await editKey(company.owner, id, settings)).toBe('edited');
  expect(await editKey(other.owner, id, { ...settings, note: 'asing' })).toBe('no-such-key');
  expect((await listAudit(company.owner)).entries).toHaveLength(before);
  expect(await stored(companyId, id)).toMatchObject(settings);
  await revokeKey(company.owner, id);
  expect(await editKey(company.owner, id, { ...settings, note: 'lewat' })).toBe('no-such-key');
});

test('a replacement gets the settings of the key that it replaces', async () => {
  const company = await makeCompany();
  const { companyId, id } = await principalOf(await company.newKey('gaji'));
  await editKey(company.owner, id, settings);
  const made = await replaceKey(company.owner, id, { name: 'gaji 2', note: 'baru' });
  if (typeof made === 'string') throw new Error(made);
  expect(await stored(companyId, made.id)).toMatchObject({ ...settings, note: 'baru', since: expect.any(Date) });
});
