import { expect, test } from 'vitest';
import { expireKey, keep, makeCall, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { fingerprintOf, revokeKey } from '#server/keys/keys.ts';
import { listRejectedRequests, type RejectedRequestFilter } from '#server/keys/rejected-requests.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

async function makeCaller() {
  const company = await makeCompany();
  const text = await company.newKey();
  const key = await principalOf(text);
  const refuse = (code: string, at = new Date()) =>
    makeCall({ key, fingerprint: fingerprintOf(text), rejection: { code }, at });
  const codes = async (filter: RejectedRequestFilter) =>
    (await listRejectedRequests(company.owner, filter)).refusals.map(({ code }) => code);
  return { owner: company.owner, key, refuse, codes };
}

test('refused calls of the last 30 days are found by key, reason and request id', async () => {
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

test('they are paged by id', async () => {
  const { owner, refuse } = await makeCaller();
  for (const code of ['field_blank', 'field_missing', 'field_too_long', 'aksi_missing']) await keep(refuse(code));
  const first = await listRejectedRequests(owner, {}, { limit: 3 });
  expect([first.refusals.length, first.hasMore]).toEqual([3, true]);
  const rest = await listRejectedRequests(owner, {}, { limit: 3, before: first.refusals.at(-1)?.id });
  expect([rest.refusals.map(({ code }) => code), rest.hasMore]).toEqual([['field_blank'], false]);
});

test('a refused call says whether its key had expired or was revoked, and which came first', async () => {
  const company = await makeCompany();
  const keyExpired = async () =>
    (await listRejectedRequests(company.owner, {})).refusals.map((refused) => refused.keyExpired);
  const text = await company.newKey();
  const { id } = await principalOf(text);
  const refuse = (code: string) => keep({ fingerprint: fingerprintOf(text), rejection: { code } });
  await expireKey(text, -60);
  await refuse('key_rejected');
  expect(await keyExpired()).toEqual([true]);
  await revokeKey(company.owner, id);
  await refuse('key_rejected');
  await refuse('key_in_both_headers');
  expect(await keyExpired()).toEqual([false, false, true]);
  const revoked = await company.newKey();
  await revokeKey(company.owner, (await principalOf(revoked)).id);
  await keep({ fingerprint: fingerprintOf(revoked), rejection: { code: 'key_rejected' } });
  expect(await keyExpired()).toEqual([false, false, false, true]);
});
