import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/fixtures/company.ts';
import { keepVisits, noteVisit } from '#server/feed/visits.ts';

test('a visit that another process noted later stays as it is; of an earlier one only what was not known is taken over', async () => {
  const employee = await (await makeCompany()).hire();
  const [known, unknown] = [randomUUID(), randomUUID()];
  for (const browserId of [known, unknown]) noteVisit(employee, browserId, 'on');
  await keepVisits();
  await sql()`update portals set seen_at = now() + interval '1 minute', sound = case browser_id when ${known} then sound end
    where company_id = ${employee.companyId}`;
  for (const browserId of [known, unknown]) noteVisit(employee, browserId, 'blocked');
  await keepVisits();
  const rows = await sql()<{ browserId: string; sound: string; later: boolean }[]>`
    select browser_id as "browserId", sound, seen_at > now() as later from portals where company_id = ${employee.companyId}`;
  expect(new Map(rows.map(({ browserId, sound, later }) => [browserId, [sound, later]]))).toEqual(
    new Map([
      [known, ['on', true]],
      [unknown, ['blocked', true]],
    ]),
  );
});
