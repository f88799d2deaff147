import { expect } from 'vitest';
import { inTransaction, sql } from '#db/client.ts';
import { expireKey, keep, makeCall, makeKey, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { rejectedPerHour } from '#server/keys/call-log.ts';
import { fingerprintOf, generateKey, revokeKey } from '#server/keys/keys.ts';
import { countNotKept, listRejectedRequests, type RejectedRequestFilter } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

const refusedOf = ({ companyId }: Owner) => sql()`
  select key_id as "keyId", code, field, client, more from refusals where company_id = ${companyId} order by id`;
const rejected = { code: 'key_rejected' };

test("a key's first and last use are stored with operation and origin, and another company's stay", async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const key = await principalOf(await company.newKey());
  await other.newKey();
  const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 10, 59, second));
  await keep({ key, at: at(1) }, { key, at: at(2), operation: 'send', address: '2001:db8::1', client: 'n8n' });
  await keep({ key, at: at(30), operation: 'karyawan', client: 'PHP' });
  const last = { lastAt: at(30), operation: 'karyawan', address: '203.0.113.7', client: 'PHP' };
  const listUses = () => sql()`
    select first_at as "firstAt", last_at as "lastAt", operation, address, client from key_uses
    where company_id = ${company.owner.companyId}`;
  expect(await listUses()).toEqual([{ firstAt: at(1), ...last }]);
  await keep({ key, at: at(0), operation: 'send', client: 'n8n' });
  expect(await listUses(), 'an earlier call is written later').toEqual([{ firstAt: at(0), ...last }]);
  expect(await sql()`select 1 from key_uses where company_id = ${other.owner.companyId}`).toHaveLength(0);
});

test('requests and refusals are counted by the hour', async ({ companyId, sender: key }) => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute));
  await keep({ key, at: at(1) }, { key, at: at(59), rejection: { code: 'aksi_missing' } }, { key, at: at(60) });
  await keep({ key, at: at(61) });
  const hours = await sql()`
    select hour, requests, refused from key_traffic where company_id = ${companyId} order by hour`;
  expect(hours).toEqual([
    { hour: at(0), requests: 2, refused: 1 },
    { hour: at(60), requests: 2, refused: 0 },
  ]);
});

test('a revoked or misplaced key is logged for its company, an unknown one for none', async ({ company, other }) => {
  const { key, fingerprint } = await makeKey(company);
  await revokeKey(company.owner, key.id);
  await keep({ fingerprint, rejection: rejected }, { fingerprint: fingerprintOf(generateKey()), rejection: rejected });
  await keep({ fingerprint, rejection: { code: 'key_in_both_headers' } }, { rejection: { code: 'key_missing' } });
  const logged = ['key_rejected', 'key_in_both_headers'].map((code) => ({ keyId: key.id, code, more: 0 }));
  expect(await refusedOf(company.owner)).toMatchObject(logged);
  expect(await refusedOf(other.owner)).toEqual([]);
  expect(await sql()`select 1 from key_uses where company_id = ${company.owner.companyId}`).toHaveLength(0);
});

test('a flood of refused calls leaves five rows for each key and reason, all counted', async ({ company, other }) => {
  const [{ key, fingerprint }, quiet] = [await makeKey(company), await makeKey(other)];
  const rejection = { code: 'rate_limited' };
  await keep(
    ...Array.from({ length: 10_000 }, () => ({ key, fingerprint, rejection })),
    { key: quiet.key, fingerprint: quiet.fingerprint, rejection },
    { key, fingerprint, rejection: { code: 'aksi_missing' } },
  );
  const rows = await refusedOf(company.owner);
  expect(rows).toHaveLength(6);
  expect(rows.reduce((sum, { more }) => sum + more + 1, 0)).toBe(10_001);
  expect(await refusedOf(other.owner)).toMatchObject([{ code: 'rate_limited', more: 0 }]);
});

// A counter of a full hour that is two hours old may go: another test runs the hourly jobs meanwhile.
const recent = () => new Date(Date.now() - 60 * 60 * 1000);
const keptOf = async (owner: Owner) => {
  const rows = (await refusedOf(owner)) as unknown as { more: number }[];
  return { rows: rows.length, calls: rows.reduce((sum, { more }) => sum + 1 + more, 0) };
};

test('the budget of an hour holds for a revoked key, also when processes write at once', async ({ company }) => {
  const { key, fingerprint } = await makeKey(company);
  await revokeKey(company.owner, key.id);
  const call = { at: recent(), fingerprint, rejection: rejected };
  const batches = Array.from({ length: 40 }, (_, index) =>
    Array.from({ length: 10 }, (__, place) => ({ ...call, address: `198.51.${index}.${place}` })),
  );
  // Each call of `keep` gets a batch, and four batches are written at once.
  for (let from = 0; from < batches.length; from += 4)
    await Promise.all(batches.slice(from, from + 4).map((batch) => keep(...batch)));
  const { rows, calls } = await keptOf(company.owner);
  expect(rows).toBe(rejectedPerHour.ofOthers);
  expect(calls + (await countNotKept(company.owner, {}))).toBe(400);
  await keep({ at: new Date(), fingerprint, rejection: rejected, address: '198.51.100.1' });
  expect((await keptOf(company.owner)).rows).toBe(rejectedPerHour.ofOthers + 1);
});

test('an active key has a larger budget for each reason, and counts follow the filters', async ({ company, other }) => {
  const { key, fingerprint } = await makeKey(company);
  const at = recent();
  const refuse = (code: string) => ({ key, fingerprint, rejection: { code }, at });
  for (let batch = 0; batch < 102; batch++) await keep(...Array.from({ length: 5 }, () => refuse('rate_limited')));
  await keep(refuse('aksi_missing'));
  const notKept = (filter: RejectedRequestFilter) => countNotKept(company.owner, filter);
  expect((await keptOf(company.owner)).rows).toBe(rejectedPerHour.ofKey + 1);
  expect(await notKept({})).toBe(10);
  expect(await notKept({ key: key.id, code: 'rate_limited' })).toBe(10);
  expect([await notKept({ code: 'aksi_missing' }), await notKept({ key: 'none' })]).toEqual([0, 0]);
  const today = new Date(at.getTime() + 7 * 60 * 60 * 1000).toISOString().slice(0, 10);
  expect([await notKept({ from: today, to: today }), await notKept({ to: '2020-01-01' })]).toEqual([10, 0]);
  expect(await notKept({ requestId: '00000000-0000-4000-8000-000000000000' })).toBe(0);
  expect(await countNotKept(other.owner, {})).toBe(0);
});

test('one address with ever new keys cannot take the rows of others', async ({ company }) => {
  const { key, fingerprint } = await makeKey(company);
  await revokeKey(company.owner, key.id);
  const stranger = { rejection: rejected, address: '203.0.113.99' };
  const flood = Array.from({ length: 2000 }, () => ({ ...stranger, fingerprint: fingerprintOf(generateKey()) }));
  await keep(...flood, { fingerprint, rejection: rejected, address: '203.0.113.98' });
  expect(await keptOf(company.owner)).toEqual({ rows: 1, calls: 1 });
});

test('calls that could not be written are written by the next flush', async ({ company, companyId }) => {
  const { key, fingerprint } = await makeKey(company);
  const refused = { key, fingerprint, rejection: { code: 'aksi_missing' } };
  await keep({ key });
  await inTransaction(async (tx) => {
    await tx`select from key_uses where company_id = ${companyId} and key_id = ${key.id} for update`;
    await expect(keep(refused)).rejects.toThrow('lock timeout');
  });
  await keep({ key });
  const counted = await sql()`
    select sum(requests)::int as requests, sum(refused)::int as refused from key_traffic
    where company_id = ${companyId} and key_id = ${key.id}`;
  expect(counted).toEqual([{ requests: 3, refused: 1 }]);
  expect(await keptOf(company.owner)).toEqual({ rows: 1, calls: 1 });
});

test('what a caller says of itself holds no key and keeps no other call out (T6)', async ({ company, other }) => {
  const [{ text, key, fingerprint }, quiet] = [await makeKey(company), await makeKey(other)];
  const rejection = { code: 'file_not_accepted', field: `nul\0 \ud800 ${'x'.repeat(5000)}` };
  await keep(
    { key, fingerprint, rejection, client: `robot ${text}` },
    { key: quiet.key, fingerprint: quiet.fingerprint, rejection: { code: 'aksi_missing' } },
  );
  const [row] = await refusedOf(company.owner);
  expect(row?.client).toBe('robot jss_…');
  expect(row?.field).toMatch(/^nul {2}\ufffd x{180,200}…$/);
  expect(await refusedOf(other.owner)).toHaveLength(1);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

async function makeCaller() {
  const company = await makeCompany();
  const { key, fingerprint } = await makeKey(company);
  const refuse = (code: string, at = new Date()) => makeCall({ key, fingerprint, rejection: { code }, at });
  const codes = async (filter: RejectedRequestFilter) =>
    (await listRejectedRequests(company.owner, filter)).refusals.map(({ code }) => code);
  return { owner: company.owner, key, refuse, codes };
}

test('refused calls of the last 30 days are found by key, reason and request id, and paged by id', async () => {
  const [one, other] = [await makeCaller(), await makeCaller()];
  const newest = one.refuse('json_malformed');
  await keep(one.refuse('aksi_missing', daysAgo(31)), one.refuse('aksi_missing', daysAgo(29)), newest);
  const ofOtherCompany = other.refuse('json_malformed');
  await keep(ofOtherCompany);
  expect(await one.codes({})).toEqual(['json_malformed', 'aksi_missing']);
  expect(await one.codes({ code: 'aksi_missing' })).toEqual(['aksi_missing']);
  expect(await one.codes({ key: one.key.id })).toHaveLength(2);
  expect(await one.codes({ key: 'none' })).toEqual([]);
  expect(await one.codes({ key: other.key.id })).toEqual([]);
  expect(await one.codes({ requestId: newest.requestId })).toEqual(['json_malformed']);
  expect(await one.codes({ requestId: ofOtherCompany.requestId })).toEqual([]);
  const first = await listRejectedRequests(one.owner, {}, { limit: 1 });
  expect([first.refusals.map(({ code }) => code), first.hasMore]).toEqual([['json_malformed'], true]);
  const rest = await listRejectedRequests(one.owner, {}, { limit: 1, before: first.refusals[0]?.id });
  expect([rest.refusals.map(({ code }) => code), rest.hasMore]).toEqual([['aksi_missing'], false]);
});

test("a day is the company's own: in Jakarta it begins at 17:00 UTC", async () => {
  const { refuse, codes } = await makeCaller();
  const midnight = daysAgo(3);
  midnight.setUTCHours(17, 0, 0, 0);
  const day = new Date(midnight.getTime() + 7 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const at = (ms: number) => new Date(midnight.getTime() + ms);
  await keep(refuse('json_malformed', at(-1)), refuse('aksi_missing', at(0)), refuse('field_blank', at(86_399_999)));
  await keep(refuse('field_missing', at(86_400_000)));
  expect(await codes({ from: day, to: day })).toEqual(['field_blank', 'aksi_missing']);
});

test('a refused call says whether its key had expired or was revoked, and which came first', async ({ company }) => {
  const keyExpired = async () =>
    (await listRejectedRequests(company.owner, {})).refusals.map((refused) => refused.keyExpired);
  const { text, key, fingerprint } = await makeKey(company);
  const refuse = (code: string) => keep({ fingerprint, rejection: { code } });
  await expireKey(text, -60);
  await refuse('key_rejected');
  expect(await keyExpired()).toEqual([true]);
  await revokeKey(company.owner, key.id);
  await refuse('key_rejected');
  await refuse('key_in_both_headers');
  expect(await keyExpired()).toEqual([false, false, true]);
  const revoked = await makeKey(company);
  await revokeKey(company.owner, revoked.key.id);
  await keep({ fingerprint: revoked.fingerprint, rejection: { code: 'key_rejected' } });
  expect(await keyExpired()).toEqual([false, false, false, true]);
});
