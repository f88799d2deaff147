import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired, keep, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { findKeyOverview } from '#server/keys/key-overview.ts';

const hourMs = 60 * 60 * 1000;

test('the traffic of a key has 24 hours of its company, and nothing of another key', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [key, neighbour] = [await principalOf(await company.newKey()), await principalOf(await company.newKey())];
  const rejection = { code: 'aksi_missing' };
  const at = new Date(Math.floor(Date.now() / hourMs) * hourMs);
  await keep(
    { key, at },
    { key, at, rejection },
    { key, at: new Date(at.getTime() - 5 * hourMs) },
    { key: neighbour, at },
  );
  const found = await findKeyOverview(company.owner, key.id);
  expect(found).toMatchObject({ requests: 3, refused: 1, hourly: { length: 24 } });
  // The hour may end during the test.
  const last = found?.hourly.lastIndexOf(2) ?? 0;
  expect(last).toBeGreaterThanOrEqual(22);
  expect(found?.hourly[last - 5]).toBe(1);
  expect(await findKeyOverview(other.owner, key.id)).toBeNull();
});

test('traffic older than 32 days is deleted', async () => {
  const company = await makeCompany();
  const { companyId, id } = await principalOf(await company.newKey());
  await sql()`insert into key_traffic (company_id, key_id, hour, requests, refused)
    select ${companyId}, ${id}, date_trunc('hour', now(), 'UTC') - ago * interval '1 day', requests, 0
    from (values (2, 3), (30, 11), (40, 13)) as t (ago, requests)`;
  await deleteExpired();
  const left = await sql()`select requests from key_traffic where company_id = ${companyId} order by requests`;
  expect(left.map((row) => row.requests)).toEqual([3, 11]);
});
