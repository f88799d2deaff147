import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listInboxSince } from '#server/inbox/inbox.ts';
import type { Employee } from '#server/principals.ts';
import { type KeyDraft, type KeySend, sendNotification } from '#server/sends/by-key.ts';

type NotificationRow = { no: number; reach: number; recipientId: number | null };

// Reads an inbox by "after N" during sends, as a portal does. Returns the numbers in the order of arrival.
async function readContinuously(employee: Employee, shouldStop: () => boolean): Promise<number[]> {
  const seen: number[] = [];
  for (let last = false; ; ) {
    const fresh = await listInboxSince(employee, seen.at(-1) ?? 0);
    seen.push(...fresh.map(({ no }) => no));
    if (last && fresh.length === 0) return seen;
    last = shouldStop();
  }
}

test('concurrent sends are read completely and in order, with an exact recipient count', async ({ company }) => {
  const key = await principalOf(await company.newKey());
  const [watcher, target, ...others] = await Promise.all([1, 2, 3, 4].map(() => company.hire()));
  if (!watcher || !target) throw new Error('no employee was added');
  let sending = true;
  const outcomes: (KeySend | string)[] = [];
  const following = Promise.all([readContinuously(watcher, () => !sending), readContinuously(target, () => !sending)]);
  const send = async (to: KeyDraft['recipients'], times: number) => {
    for (let turn = 0; turn < times; turn++)
      outcomes.push(await sendNotification(key, { ...keyDraft, recipients: to }, 'concurrent'));
  };
  const toggleActive = async (employee: Employee) => {
    for (let turn = 0; turn < 12; turn++) {
      await company.deactivate(employee);
      await company.activate(employee);
    }
  };
  // All wait for the row of the company. On a busy machine, ten at once would wait longer than a statement may.
  await Promise.all([
    send({ to: 'everyone' }, 90),
    send({ to: 'everyone' }, 90),
    send({ to: 'one', employeeId: target.employeeId }, 40),
    ...others.map(toggleActive),
    company.hire(),
  ]);
  sending = false;
  const [watched, targeted] = await following;

  const rows = await sql()<NotificationRow[]>`
    select no, reach, recipient_id as "recipientId" from notifications where company_id = ${watcher.companyId} order by no`;
  expect(rows.map(({ no }) => no)).toEqual(rows.map((_, index) => index + 1));
  const broadcasts = rows.filter(({ recipientId }) => recipientId === null);
  expect(watched, 'the watcher saw every broadcast, in order').toEqual(broadcasts.map(({ no }) => no));
  expect(targeted, 'the target saw everything, in order').toEqual(rows.map(({ no }) => no));
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  const reached = outcomes.map((sent) => (typeof sent === 'object' ? sent.reach : Number.NaN));
  expect(sum(reached)).toBe(sum(rows.map(({ reach }) => reach)));
  await expectCountsToMatch(watcher.companyId, rows);
});

// Compares the stored recipient counts with counts from the periods of employment.
async function expectCountsToMatch(companyId: number, rows: NotificationRow[]): Promise<void> {
  const counts = await sql()<{ no: number; recipients: number }[]>`
    select n.no, count(s.employee_id)::int as recipients from notifications n
    left join employment s on s.company_id = n.company_id and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)
    where n.company_id = ${companyId} and n.recipient_id is null group by n.no order by n.no`;
  const broadcasts = rows.filter(({ recipientId }) => recipientId === null);
  expect(counts).toEqual(broadcasts.map(({ no, reach }) => ({ no, recipients: reach })));
  const [company] = await sql()<{ stored: number; counted: number }[]>`
    select active_employees as stored, (select count(*)::int from employees e where e.company_id = c.id and e.active) as counted
    from companies c where id = ${companyId}`;
  expect(company?.stored).toBe(company?.counted);
}
