import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/fixtures/company.ts';
import { keepVisits, noteVisit, type Visitor } from '#server/feed/visits.ts';

test('a browser that asks all the time is written down once in 5 minutes, and at once when its sound changes', async () => {
  const { hire } = await makeCompany();
  const visitor: Visitor = { employee: await hire(), noted: null };
  const { companyId, employeeId } = visitor.employee;
  const browser = randomUUID();
  const written = async (sound: 'on' | 'muted') => {
    await sql()`update portals set sound = null where company_id = ${companyId} and employee_id = ${employeeId}`;
    noteVisit(visitor, browser, sound);
    await keepVisits();
    const rows = await sql()`select sound from portals where company_id = ${companyId} and employee_id = ${employeeId}`;
    return rows.map((row) => row.sound as string | null);
  };
  expect(await written('on')).toEqual(['on']);
  expect(await written('on'), 'nothing is written').toEqual([null]);
  expect(await written('muted')).toEqual(['muted']);
  if (visitor.noted) visitor.noted.seenAt = new Date(Date.now() - 5 * 60 * 1000);
  expect(await written('muted')).toEqual(['muted']);
});

test('thousands who are seen at once are all written down', async () => {
  const { hire } = await makeCompany();
  const { companyId, ...person } = await hire();
  const people = await sql()<{ id: number }[]>`
    insert into employees (company_id, name, role) select ${companyId}, 'Karyawan', 'Staf' from generate_series(1, 2500) returning id`;
  for (const { id: employeeId } of people)
    noteVisit({ employee: { ...person, companyId, employeeId }, noted: null }, randomUUID(), 'on');
  await keepVisits();
  const [row] = await sql()`select count(*)::int as n from portals where company_id = ${companyId}`;
  expect(row?.n).toBe(2500);
});
