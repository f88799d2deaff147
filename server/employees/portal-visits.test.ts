import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { test } from '#e2e/support/data/test.ts';
import { flushVisits, queueVisit, type Visitor } from '#server/employees/portal-visits.ts';

test('the first visit and each new sound are stored at once, others once in 5 minutes', async ({ employee }) => {
  const visitor: Visitor = { employee, lastVisit: null };
  const { companyId, employeeId } = employee;
  const browser = randomUUID();
  const stored = () => sql()`select sound from portals where company_id = ${companyId} and employee_id = ${employeeId}`;
  // Without the next flush.
  for (const sound of [null, 'click', 'on'] as const) {
    queueVisit(visitor, browser, sound);
    await expect.poll(stored, { timeout: 10_000 }).toEqual([{ sound }]);
  }
  const written = async (sound: 'on' | 'muted') => {
    await sql()`update portals set sound = null where company_id = ${companyId} and employee_id = ${employeeId}`;
    queueVisit(visitor, browser, sound);
    await flushVisits();
    return stored();
  };
  expect(await written('on'), 'nothing is written').toEqual([{ sound: null }]);
  expect(await written('muted')).toEqual([{ sound: 'muted' }]);
  if (visitor.lastVisit) visitor.lastVisit.seenAt = new Date(Date.now() - 5 * 60 * 1000);
  expect(await written('muted')).toEqual([{ sound: 'muted' }]);
});

test('2,500 visits are all written', async ({ employee }) => {
  const { companyId, ...person } = employee;
  const people = await sql()<{ id: number }[]>`
    insert into employees (company_id, name, role) select ${companyId}, 'Karyawan', 'Staf' from generate_series(1, 2500) returning id`;
  for (const { id: employeeId } of people)
    queueVisit({ employee: { ...person, companyId, employeeId }, lastVisit: null }, randomUUID(), 'on');
  await flushVisits();
  const [row] = await sql()`select count(*)::int as n from portals where company_id = ${companyId}`;
  expect(row?.n).toBe(2500);
});

test('a later visit of another process stays, completed by the earlier one’s sound', async ({ employee }) => {
  const [known, unknown] = [randomUUID(), randomUUID()];
  for (const browserId of [known, unknown]) queueVisit({ employee, lastVisit: null }, browserId, 'on');
  await flushVisits();
  await sql()`update portals set seen_at = now() + interval '1 minute', sound = case browser_id when ${known} then sound end
    where company_id = ${employee.companyId}`;
  for (const browserId of [known, unknown]) queueVisit({ employee, lastVisit: null }, browserId, 'blocked');
  await flushVisits();
  const rows = await sql()<{ browserId: string; sound: string; later: boolean }[]>`
    select browser_id as "browserId", sound, seen_at > now() as later from portals where company_id = ${employee.companyId}`;
  const soundOf = new Map(rows.map(({ browserId, sound, later }) => [browserId, later && sound]));
  expect([soundOf.get(known), soundOf.get(unknown)]).toEqual(['on', 'blocked']);
});

test('a request that does not say the sound takes away no sound that an earlier one said', async ({ employee }) => {
  const [same, anew] = [randomUUID(), randomUUID()];
  const visitor: Visitor = { employee, lastVisit: null };
  queueVisit(visitor, same, 'on');
  queueVisit(visitor, same, null);
  // A process may read the session of a browser again at any request.
  queueVisit({ employee, lastVisit: null }, anew, 'muted');
  queueVisit({ employee, lastVisit: null }, anew, null);
  await flushVisits();
  const rows = await sql()<{ browserId: string; sound: string | null }[]>`
    select browser_id as "browserId", sound from portals where company_id = ${employee.companyId}`;
  const soundOf = new Map(rows.map(({ browserId, sound }) => [browserId, sound]));
  expect([soundOf.get(same), soundOf.get(anew)]).toEqual(['on', 'muted']);
});
