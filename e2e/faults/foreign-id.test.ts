import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { good, notifUrl, withKey } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';
import { recordFigures, rounds } from '#harness/figures.ts';
import { percentile } from '#harness/statistics.ts';

test('another company’s id and a missing id get the same answer (T1)', async () => {
  const [ours, theirs] = [await makeCompany(), await makeCompany()];
  const stranger = await theirs.hire();
  const key = await ours.newKey();
  const took = { foreign: [] as number[], missing: [] as number[] };
  const texts = new Set<string>();
  const send = async (user_id: number) => {
    const started = performance.now();
    const headers = { ...withKey(key), 'Content-Type': 'application/json' };
    const response = await fetch(notifUrl, { method: 'POST', headers, body: JSON.stringify({ ...good, user_id }) });
    texts.add(`${response.status} ${await response.text()}`);
    return performance.now() - started;
  };
  const each = rounds(50, 1000);
  for (let round = 0; round < each; round++) {
    // Resets the rate limit, so that one key can make this many calls.
    if (round % 25 === 0) await sql()`update key_usage set used = 0 where company_id = ${ours.owner.companyId}`;
    took.foreign.push(await send(stranger.employeeId));
    took.missing.push(await send(2_000_000_000));
  }
  expect([...texts]).toEqual([expect.stringContaining('404 {"ok":false')]);
  const [foreign, missing] = [percentile(took.foreign, 0.5), percentile(took.missing, 0.5)];
  await recordFigures('T1', {
    calls: 2 * each,
    foreignMedianMs: Number(foreign.toFixed(3)),
    missingMedianMs: Number(missing.toFixed(3)),
    differencePercent: Number((100 * Math.abs(foreign / missing - 1)).toFixed(1)),
  });
});
