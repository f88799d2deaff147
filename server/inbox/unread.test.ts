import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { markAllRead, markRead, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import type { Employee } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';

async function makeReader(sends: number): Promise<Employee> {
  const company = await makeCompany();
  const key = await principalOf(await company.newKey());
  const employee = await company.hire();
  for (let no = 1; no <= sends; no++) await sendNotification(key, keyDraft, 'unread');
  return employee;
}

const count = async (employee: Employee) => (await countUnread(employee, { settleEvery: 1 })).count;

async function settledOf({ companyId, employeeId }: Employee): Promise<number | undefined> {
  const [row] = await sql()<{ upTo: number }[]>`
    select settled_up_to as "upTo" from employees where company_id = ${companyId} and id = ${employeeId}`;
  return row?.upTo;
}

test('a count begins where the last one found everything read', async () => {
  const employee = await makeReader(6);
  for (const no of [1, 2, 3, 5]) await markRead(employee, no, true);
  expect([await count(employee), await settledOf(employee)]).toEqual([2, 3]);
  await markRead(employee, 2, false);
  expect([await count(employee), await settledOf(employee)]).toEqual([3, 3]);
  for (const no of [2, 4, 6]) await markRead(employee, no, true);
  expect([await count(employee), await settledOf(employee)]).toEqual([0, 6]);
});

test('what an undo makes unread again is counted, whatever a count found before', async () => {
  const employee = await makeReader(4);
  await markRead(employee, 1, true);
  const marked = await markAllRead(employee, 3);
  expect([await count(employee), await settledOf(employee)]).toEqual([1, 0]);
  await markRead(employee, 4, true);
  expect([await count(employee), await settledOf(employee)]).toEqual([0, 4]);
  expect(await undoMarkAllRead(employee, marked)).toBe(true);
  expect([await count(employee), await settledOf(employee)]).toEqual([2, 1]);
});

test('counts beside marks and undos never hide what an undo made unread again', async () => {
  const employee = await makeReader(4);
  await markRead(employee, 4, true);
  for (let turn = 0; turn < 30; turn++) {
    const marked = await markAllRead(employee, 3);
    const [undone] = await Promise.all([undoMarkAllRead(employee, marked), ...[1, 2, 3, 4].map(() => count(employee))]);
    expect([undone, await count(employee)]).toEqual([true, 3]);
  }
});
