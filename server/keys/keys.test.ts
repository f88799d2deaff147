import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { expireKey, principalOf } from '#e2e/support/data/calls.ts';
import { must } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { listAudit } from '#server/audit/list.ts';
import { findKeyOverview, listActiveKeys } from '#server/keys/key-overview.ts';
import { createKey, editKey, fingerprintOf, generateKey, isKey, listKeys, revokeKey } from '#server/keys/keys.ts';

test('a key is jss_ and 64 letters or digits with a checksum, which no other text passes (T11)', () => {
  const key = generateKey();
  expect(key).toMatch(/^jss_[0-9A-Za-z]{64}$/);
  expect(isKey(key)).toBe(true);
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const change = fc.tuple(fc.integer({ min: 4, max: 67 }), fc.constantFrom(...alphabet));
  fc.assert(
    fc.property(change, ([at, letter]) => {
      const changed = key.slice(0, at) + letter + key.slice(at + 1);
      return isKey(changed) === (changed === key);
    }),
    { numRuns: 5000 },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => !isKey(text) && !isKey(`jss_${text}`)));
  const guess = () => `jss_${randomBytes(48).toString('base64').replace(/[+/]/g, 'x')}`;
  let keys = 0;
  for (let made = 0; made < 200_000; made++) if (isKey(guess())) keys++;
  expect(keys).toBe(0);
});

test('only the SHA-256 of a key is stored, and lists show its first 8 hex digits (T16)', async ({ company }) => {
  const key = await company.newKey('satu');
  const [summary] = await listActiveKeys(company.owner);
  expect(summary?.fingerprintStart).toBe(fingerprintOf(key).toString('hex').slice(0, 8));
  const [created] = (await listAudit(company.owner)).entries;
  expect(created?.details.fingerprint).toBe(summary?.fingerprintStart);
  const [row] = await sql()<{ stored: string }[]>`
    select (select string_agg(k::text, ' ') from api_keys k where company_id = ${company.owner.companyId})
      || (select string_agg(a::text, ' ') from audit_log a where company_id = ${company.owner.companyId}) as stored`;
  expect(row?.stored).toContain(fingerprintOf(key).toString('hex'));
  expect(row?.stored).not.toContain(key.slice(4, 20));
});

test('a company has at most 50 active keys, also made at once; revoking makes room', async ({ company, other }) => {
  for (let made = 0; made < 47; made++) await company.newKey();
  const names = Array.from({ length: 8 }, (_, place) => `serentak ${place}`);
  const outcomes = await Promise.all(names.map((name) => createKey(company.owner, { name })));
  expect(outcomes.filter((outcome) => outcome === 'too-many-keys')).toHaveLength(5);
  const [newest] = await listKeys(company.owner);
  expect(await listKeys(company.owner)).toHaveLength(50);
  expect(await createKey(company.owner, { name: 'pengganti' }, newest?.id ?? 0)).toBe('too-many-keys');
  expect(await createKey(other.owner, { name: 'tetangga' })).toHaveProperty('key');
  await revokeKey(company.owner, newest?.id ?? 0);
  expect(await createKey(company.owner, { name: 'lagi' })).toHaveProperty('key');
});

test('an active key has a unique name in its company, and one working replacement', async ({ company, other }) => {
  const old = await company.newKey('gaji');
  const { id } = await principalOf(old);
  expect(await createKey(other.owner, { name: 'gaji' }, id)).toBe('no-such-key');
  expect(await createKey(other.owner, { name: 'gaji' })).toHaveProperty('key');
  for (const replaced of [id, undefined])
    expect(await createKey(company.owner, { name: 'gaji' }, replaced)).toBe('duplicate-name');
  const made = must(await createKey(company.owner, { name: 'gaji 2', note: 'untuk cron' }, id));
  expect([(await principalOf(old)).name, (await principalOf(made.key)).name]).toEqual(['gaji', 'gaji 2']);
  expect(await createKey(company.owner, { name: 'gaji 3' }, id)).toBe('already-replaced');
  const [audited] = (await listAudit(company.owner)).entries;
  const details = { name: 'gaji 2', replaced: 'gaji', replacedId: id };
  expect(audited).toMatchObject({ action: 'key.replace', details });
  await revokeKey(company.owner, made.id);
  expect(await createKey(company.owner, { name: 'gaji 2' }, id)).toHaveProperty('key');
  await revokeKey(company.owner, id);
  expect(await createKey(company.owner, { name: 'gaji 4' }, id)).toBe('no-such-key');
});

const settings = { note: 'di server kantor', mustConfirm: true, expectedEveryMinutes: 1440 };

const stored = async (companyId: number, id: number) => {
  const [row] = await sql()`
    select note, must_confirm as "mustConfirm", expected_every_minutes as "expectedEveryMinutes", expected_since as since
    from api_keys where company_id = ${companyId} and id = ${id}`;
  return row;
};

test('settings of an active key of the company are stored and audited if they change', async ({ company, other }) => {
  const { companyId, id } = await principalOf(await company.newKey('cron'));
  expect(await editKey(company.owner, id, settings)).toBe('edited');
  const first = await stored(companyId, id);
  expect(first).toMatchObject({ ...settings, since: expect.any(Date) });
  expect(await editKey(company.owner, id, { ...settings, note: null })).toBe('edited');
  expect(await stored(companyId, id)).toMatchObject({ note: null, since: first?.since });
  expect(await editKey(company.owner, id, { ...settings, note: null, expectedEveryMinutes: null })).toBe('edited');
  expect(await stored(companyId, id)).toMatchObject({ expectedEveryMinutes: null, since: null });
  const [last, second, edit] = (await listAudit(company.owner)).entries;
  const was = { note: null, mustConfirm: false, expectedEveryMinutes: null };
  expect(edit).toMatchObject({ action: 'key.edit', details: { keyId: id, name: 'cron', changes: settings, was } });
  expect(second?.details).toMatchObject({ changes: { note: null }, was: { note: settings.note } });
  expect(last?.details).toMatchObject({ changes: { expectedEveryMinutes: null } });
  await editKey(company.owner, id, settings);
  const made = must(await createKey(company.owner, { name: 'cron 2', note: 'baru' }, id));
  const replacement = { ...settings, note: 'baru', since: expect.any(Date) };
  expect(await stored(companyId, made.id), 'a replacement gets them').toMatchObject(replacement);
  const before = (await listAudit(company.owner)).entries.length;
  expect(await editKey(company.owner, id, settings)).toBe('edited');
  expect(await editKey(other.owner, id, { ...settings, note: 'asing' })).toBe('no-such-key');
  expect((await listAudit(company.owner)).entries).toHaveLength(before);
  expect(await stored(companyId, id)).toMatchObject(settings);
  await revokeKey(company.owner, id);
  expect(await editKey(company.owner, id, { ...settings, note: 'lewat' })).toBe('no-such-key');
});

const dayFromNow = async (days: number) => {
  const [row] = await sql()`select ((now() at time zone 'Asia/Jakarta')::date + ${days}::int)::text as day`;
  return row?.day as string;
};

test('a key is renamed with one entry in the audit log; a name in use is refused', async ({ company }) => {
  await company.newKey('dipakai');
  const text = await company.newKey('lama');
  const { id } = await principalOf(text);
  expect(await editKey(company.owner, id, { name: 'dipakai' })).toBe('duplicate-name');
  expect(await editKey(company.owner, id, { name: 'baru' })).toBe('edited');
  expect((await principalOf(text)).name).toBe('baru');
  const [entry, created] = (await listAudit(company.owner)).entries;
  const details = { keyId: id, name: 'lama', changes: { name: 'baru' }, was: { name: 'lama' } };
  expect([entry, created]).toMatchObject([{ action: 'key.edit', details }, { action: 'key.create' }]);
});

test('a key is valid to the end of its last day in the time zone of the company', async ({ company }) => {
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

test('a new key and a replacement may have a last day, which the audit log names', async ({ company }) => {
  const [today, yesterday] = [await dayFromNow(0), await dayFromNow(-1)];
  expect(await createKey(company.owner, { name: 'tamu', expiresOn: yesterday })).toBe('day-is-past');
  const made = must(await createKey(company.owner, { name: 'tamu', expiresOn: today }));
  expect((await findKeyOverview(company.owner, made.id))?.expiry).toMatchObject({ state: 'soon', on: today });
  expect(await createKey(company.owner, { name: 'tamu 2', expiresOn: yesterday }, made.id)).toBe('day-is-past');
  expect(await createKey(company.owner, { name: 'tamu 2', expiresOn: today }, made.id)).toHaveProperty('key');
  const [replaced, created] = (await listAudit(company.owner)).entries;
  expect([created?.details.expiresOn, replaced?.details.expiresOn]).toEqual([today, today]);
});

test('an expired key can be renamed, extended and replaced; its replacement never expires', async ({ company }) => {
  const text = await company.newKey('gaji');
  const { id } = await principalOf(text);
  await expireKey(text, -3 * 24 * 60 * 60);
  const { expiry } = (await findKeyOverview(company.owner, id)) ?? {};
  expect(expiry).toMatchObject({ state: 'expired', on: await dayFromNow(-3) });
  expect(await editKey(company.owner, id, { name: 'gaji lama' }), 'its day stays').toBe('edited');
  const made = must(await createKey(company.owner, { name: 'gaji' }, id));
  expect((await findKeyOverview(company.owner, made.id))?.expiry).toBeNull();
  for (const [state, days] of Object.entries({ later: 8, soon: 6 })) {
    expect(await editKey(company.owner, id, { expiresOn: await dayFromNow(days) })).toBe('edited');
    expect((await findKeyOverview(company.owner, id))?.expiry).toMatchObject({ state });
  }
  expect((await principalOf(text)).name).toBe('gaji lama');
});
