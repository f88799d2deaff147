import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired, keep, principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { findKeyOverview, readTraffic } from '#server/keys/key-overview.ts';

const hourMs = 60 * 60 * 1000;

test('the traffic of a key has 24 hours and 30 days of its company, and nothing of another key', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const [key, neighbour] = [await principalOf(await company.newKey()), await principalOf(await company.newKey())];
  const rejection = { code: 'aksi_missing' };
  // The hour may end during the test, so each figure is found by its hour.
  const at = new Date(Math.floor(Date.now() / hourMs) * hourMs);
  await keep(
    { key, at },
    { key, at, rejection },
    { key, at: new Date(at.getTime() - 5 * hourMs) },
    { key: neighbour, at },
  );
  const { hours, days } = await readTraffic(company.owner, key.id);
  expect([hours.length, days.length]).toEqual([24, 30]);
  const found = new Map(hours.map((hour) => [hour.hour.getTime(), [hour.requests, hour.refused]]));
  expect([found.get(at.getTime()), found.get(at.getTime() - 5 * hourMs)]).toEqual([
    [2, 1],
    [1, 0],
  ]);
  expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  expect((await findKeyOverview(company.owner, key.id))?.hourly).toEqual(hours.map(({ requests }) => requests));
  const foreign = await readTraffic(other.owner, key.id);
  expect(foreign.days.every(({ requests }) => requests === 0)).toBe(true);
  expect(await findKeyOverview(other.owner, key.id)).toBeNull();
});

test('a day of the traffic is the company’s own; traffic older than 32 days is deleted', async () => {
  const company = await makeCompany();
  const { companyId, id } = await principalOf(await company.newKey());
  // The last hour of a day in Jakarta and the first of the next one.
  await sql()`insert into key_traffic (company_id, key_id, hour, requests, refused)
    select ${companyId}, ${id}, ((now() at time zone 'Asia/Jakarta')::date - ago)::timestamp at time zone 'Asia/Jakarta'
      + hours * interval '1 hour', requests, 0
    from (values (2, -1, 3), (2, 0, 5), (29, 12, 7), (30, 12, 11), (40, 0, 13)) as t (ago, hours, requests)`;
  const requests = async () => (await readTraffic(company.owner, id)).days.map((day) => day.requests);
  expect((await requests()).slice(-4)).toEqual([3, 5, 0, 0]);
  expect((await requests())[0]).toBe(7);
  await deleteExpired();
  expect((await requests())[0]).toBe(7);
  const left = await sql()`select requests from key_traffic where company_id = ${companyId} order by requests`;
  expect(left.map((row) => row.requests)).toEqual([3, 5, 7, 11]);
});
