import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired, keep, makeKey, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany, must } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import {
  findKeyOverview,
  listActiveKeys,
  listCallingRevokedKeys,
  listReplacements,
  listRevokedKeys,
  watchKey,
} from '#server/keys/key-overview.ts';
import { createKey, revokeKey } from '#server/keys/keys.ts';

const hourMs = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

test('a key is listed with its last use and traffic of 24 hours, not those of others', async ({ company, other }) => {
  const { key, fingerprint } = await makeKey(company, 'gaji');
  const [neighbour, foreign] = [await makeKey(company, 'lain'), await makeKey(other, 'gaji')];
  const rejection = { code: 'aksi_missing' };
  const at = new Date(Math.floor(Date.now() / hourMs) * hourMs);
  await keep(
    { key, fingerprint, at: hoursAgo(30) },
    { key, fingerprint, at: new Date(at.getTime() - 5 * hourMs) },
    { key, fingerprint, at },
    { key, fingerprint, at, rejection, operation: 'GET' },
    { fingerprint, rejection: { code: 'key_in_both_headers' } },
    ...[neighbour, foreign, foreign].map((one) => ({ key: one.key, fingerprint: one.fingerprint, at, rejection })),
  );
  const listed = (await listActiveKeys(company.owner)).find(({ id }) => id === key.id);
  const lastUse = { operation: 'GET', address: '203.0.113.7', client: 'curl/8.5' };
  expect(listed).toMatchObject({ name: 'gaji', requests: 4, refused: 2, unused: false, lastUse });
  expect(listed?.firstUsedAt?.getTime()).toBeLessThan(hoursAgo(29).getTime());
  expect(await findKeyOverview(company.owner, key.id)).toMatchObject({ requests: 4, refused: 2 });
  expect(await findKeyOverview(other.owner, key.id)).toBeNull();
  // The hour may end during the test.
  const last = listed?.hourly.lastIndexOf(2) ?? 0;
  expect([listed?.hourly.length, last >= 22, listed?.hourly[last - 5]]).toEqual([24, true, 1]);
});

test('a key that was not used for 90 days is pointed out, a new one is not', async ({ company }) => {
  const { key } = await makeKey(company, 'lama');
  const { key: used } = await makeKey(company, 'dipakai');
  await makeKey(company, 'baru');
  await sql()`update api_keys set created_at = now() - interval '91 days'
    where company_id = ${key.companyId} and id in (${key.id}, ${used.id})`;
  await keep({ key: used, at: hoursAgo(24 * 89) });
  const unused = (await listActiveKeys(company.owner)).map(({ name, unused }) => `${name} ${unused}`);
  expect(unused).toEqual(['baru false', 'dipakai false', 'lama true']);
});

test('a replacement waits, then both are in use, then the traffic has moved', async ({ company }) => {
  const old = await makeKey(company, 'cron');
  const made = must(await createKey(company.owner, { name: 'cron 2' }, old.key.id));
  const fresh = await principalOf(made.key);
  const state = async () =>
    listReplacements(await listActiveKeys(company.owner)).map((replacement) => replacement.state);
  await keep({ key: old.key, at: hoursAgo(10) });
  expect(await state()).toEqual(['waiting']);
  await keep({ key: fresh, at: hoursAgo(9), client: 'Mozilla/5.0', address: '198.51.100.1' });
  expect(await state(), 'tried in a browser only').toEqual(['elsewhere']);
  await keep({ key: old.key, at: hoursAgo(8) });
  expect(await state(), 'the script still uses the old one').toEqual(['both']);
  await keep({ key: fresh, at: hoursAgo(7) });
  expect(await state()).toEqual(['moved']);
  await keep({ key: old.key, at: hoursAgo(0.5) }, { key: fresh, at: hoursAgo(0.2) });
  expect(await state(), 'an older machine uses the old one now and then').toEqual(['both']);
  await revokeKey(company.owner, old.key.id);
  expect(await state()).toEqual([]);
  const next = must(await createKey(company.owner, { name: 'cron 3' }, made.id));
  await keep({ key: await principalOf(next.key), at: hoursAgo(0.1) });
  expect(await state(), 'the only caller has switched').toEqual(['moved']);
});

test('revoked keys are listed apart, page by page, with their last call since then', async ({ company, other }) => {
  for (const name of ['a', 'b', 'c']) {
    const { key, fingerprint } = await makeKey(company, name);
    await revokeKey(company.owner, key.id);
    if (name !== 'b') continue;
    // The same millisecond: a call has no microseconds, but the time of the revocation has.
    const [revoked] = await sql()<{ at: Date }[]>`
      select revoked_at as at from api_keys where company_id = ${key.companyId} and id = ${key.id}`;
    await keep({ at: revoked?.at, fingerprint, rejection: { code: 'key_rejected' }, address: '203.0.113.99' });
  }
  const foreignKey = await makeKey(other, 'b');
  await revokeKey(other.owner, foreignKey.key.id);
  const first = await listRevokedKeys(company.owner, { limit: 2 });
  expect([first.keys.map(({ name }) => name), first.hasMore]).toEqual([['c', 'b'], true]);
  const second = await listRevokedKeys(company.owner, { limit: 2, before: first.keys[1]?.id });
  expect([second.keys.map(({ name }) => name), second.hasMore]).toEqual([['a'], false]);
  const calling = await listCallingRevokedKeys(company.owner);
  expect(calling).toMatchObject([{ name: 'b', lastCall: { address: '203.0.113.99' } }]);
  expect(await listCallingRevokedKeys(other.owner)).toEqual([]);
});

test("a watched key shows its own use and refusals only, and another company's key cannot be watched", async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [watched, otherKey] = [await makeKey(company, 'ini'), await makeKey(company, 'itu')];
  const foreignKey = await makeKey(other, 'ini');
  const { id } = watched.key;
  expect(await watchKey(company.owner, id)).toMatchObject({ lastUse: null, requests: 0, refusals: [] });
  const rejection = { code: 'field_too_long', field: 'judul', parameters: { limit: 120, length: 130 } };
  for (const { key, fingerprint } of [watched, otherKey, foreignKey])
    await keep({ key, fingerprint }, { key, fingerprint, rejection, operation: 'send' });
  const seen = await watchKey(company.owner, id);
  expect(seen).toMatchObject({ requests: 2, lastUse: { operation: 'send' } });
  expect(seen?.refusals).toMatchObject([{ keyId: id, code: 'field_too_long', parameters: { length: 130 } }]);
  expect(await watchKey(company.owner, foreignKey.key.id)).toBeNull();
});

test('traffic older than 32 days is deleted', async ({ sender: { companyId, id } }) => {
  await sql()`insert into key_traffic (company_id, key_id, hour, requests, refused)
    select ${companyId}, ${id}, date_trunc('hour', now(), 'UTC') - ago * interval '1 day', requests, 0
    from (values (2, 3), (30, 11), (40, 13)) as t (ago, requests)`;
  await deleteExpired();
  const left = await sql()`select requests from key_traffic where company_id = ${companyId} order by requests`;
  expect(left.map((row) => row.requests)).toEqual([3, 11]);
});
