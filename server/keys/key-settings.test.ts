import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { expireKey, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { findKeyOverview } from '#server/keys/key-overview.ts';
import { createKey, editKey, revokeKey } from '#server/keys/keys.ts';

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
  const made = await createKey(company.owner, { name: 'gaji 2', note: 'baru' }, id);
  if (typeof made === 'string') throw new Error(made);
  expect(await stored(companyId, made.id)).toMatchObject({ ...settings, note: 'baru', since: expect.any(Date) });
});

const dayFromNow = async (days: number) =>
  (await sql()<{ day: string }[]>`select ((now() at time zone 'Asia/Jakarta')::date + ${days}::int)::text as day`)[0]
    ?.day;

test('a key is renamed with one entry in the audit log; a name in use is refused', async () => {
  const company = await makeCompany();
  await company.newKey('dipakai');
  const text = await company.newKey('lama');
  const { id } = await principalOf(text);
  expect(await editKey(company.owner, id, { name: 'dipakai' })).toBe('duplicate-name');
  expect(await editKey(company.owner, id, { name: 'baru' })).toBe('edited');
  expect((await principalOf(text)).name).toBe('baru');
  const [entry, created] = (await listAudit(company.owner)).entries;
  expect(entry).toMatchObject({
    action: 'key.edit',
    details: { keyId: id, name: 'lama', changes: { name: 'baru' }, was: { name: 'lama' } },
  });
  expect(created?.action).toBe('key.create');
});

test('a key is valid to the end of its last day in the time zone of the company', async () => {
  const company = await makeCompany();
  const { companyId, id } = await principalOf(await company.newKey());
  const [today, yesterday] = [await dayFromNow(0), await dayFromNow(-1)];
  expect(await editKey(company.owner, id, { expiresOn: yesterday })).toBe('day-is-past');
  expect(await editKey(company.owner, id, { expiresOn: today }, { reauthenticated: false })).toBe('reauthenticate');
  expect(await editKey(company.owner, id, { note: 'x' }, { reauthenticated: false })).toBe('edited');
  expect(await editKey(company.owner, id, { expiresOn: today })).toBe('edited');
  const [row] = await sql()<{ local: string }[]>`
    select (expires_at at time zone 'Asia/Jakarta')::text as local from api_keys where company_id = ${companyId} and id = ${id}`;
  expect(row?.local).toBe(`${await dayFromNow(1)} 00:00:00`);
  const [entry] = (await listAudit(company.owner)).entries;
  expect(entry?.details).toMatchObject({ changes: { expiresOn: today }, was: { expiresOn: null } });
});

test('a new key and a replacement may have a last day, which the audit log names', async () => {
  const company = await makeCompany();
  const [today, yesterday] = [await dayFromNow(0), await dayFromNow(-1)];
  expect(await createKey(company.owner, { name: 'tamu', expiresOn: yesterday })).toBe('day-is-past');
  const made = await createKey(company.owner, { name: 'tamu', expiresOn: today });
  if (typeof made === 'string') throw new Error(made);
  expect((await findKeyOverview(company.owner, made.id))?.expiry).toMatchObject({ state: 'soon', on: today });
  expect(await createKey(company.owner, { name: 'tamu 2', expiresOn: yesterday }, made.id)).toBe('day-is-past');
  const next = await createKey(company.owner, { name: 'tamu 2', expiresOn: today }, made.id);
  expect(next).toHaveProperty('key');
  const [replaced, created] = (await listAudit(company.owner)).entries;
  expect([created?.details.expiresOn, replaced?.details.expiresOn]).toEqual([today, today]);
});

test('an expired key can be renamed, extended and replaced; its replacement never expires', async () => {
  const company = await makeCompany();
  const text = await company.newKey('gaji');
  const { companyId, id } = await principalOf(text);
  await expireKey(text, -3 * 24 * 60 * 60);
  const { expiry } = (await findKeyOverview(company.owner, id)) ?? {};
  expect(expiry).toMatchObject({ state: 'expired', on: await dayFromNow(-3) });
  expect(await editKey(company.owner, id, { name: 'gaji lama' }), 'its day stays').toBe('edited');
  const made = await createKey(company.owner, { name: 'gaji' }, id);
  if (typeof made === 'string') throw new Error(made);
  expect(await sql()`select expires_at from api_keys where company_id = ${companyId} and id = ${made.id}`).toEqual([
    { expires_at: null },
  ]);
  expect(await editKey(company.owner, id, { expiresOn: await dayFromNow(8) })).toBe('edited');
  expect((await findKeyOverview(company.owner, id))?.expiry).toMatchObject({ state: 'later' });
  expect(await editKey(company.owner, id, { expiresOn: await dayFromNow(6) })).toBe('edited');
  expect((await findKeyOverview(company.owner, id))?.expiry).toMatchObject({ state: 'soon' });
  expect((await principalOf(text)).name).toBe('gaji lama');
});
