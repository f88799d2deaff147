import fc from 'fast-check';
import { expect, test } from 'vitest';
import { db, sql } from '#db/client.ts';
import { sql as expression } from '#db/drizzle.cjs';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { aDraft, keyDraft, toEveryone, toOne, toRoles } from '#e2e/support/data/sends.ts';
import { setEmployeesActive } from '#server/employees/employees.ts';
import { type InboxPage, listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { archive, type BeforeMove, returnToInbox, snooze } from '#server/inbox/moves.ts';
import { markAllRead, markRead, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { hasRead } from '#server/notifications/audience.ts';
import type { Employee, Owner } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';

type Step =
  | { do: 'hire' }
  | { do: 'activate' | 'deactivate'; who: number }
  | { do: 'send'; to: number | 'everyone' | 'role' }
  | { do: 'read' | 'unread'; who: number; which: number }
  | { do: 'archive' | 'archiveAndUndo' | 'restore' | 'snooze' | 'comeBack'; who: number; which: number }
  | { do: 'endSnooze'; who: number; which: number; back: boolean }
  | { do: 'count'; who: number }
  | { do: 'readAll' | 'readAllAndUndo'; who: number; behind: number };

const who = fc.nat({ max: 2 });
// Mostly the first few, so that one notification is marked repeatedly.
const which = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 4 }) }, { weight: 1, arbitrary: fc.nat({ max: 14 }) });
const one = <Name extends string>(...names: Name[]) => fc.constantFrom(...names);
const moves = one('archive', 'archiveAndUndo', 'restore', 'snooze', 'snooze', 'comeBack');
const to = fc.oneof(who, one('everyone', 'everyone', 'role'));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: one('hire') }) },
  { weight: 3, arbitrary: fc.record({ do: one('activate', 'deactivate'), who }) },
  { weight: 6, arbitrary: fc.record({ do: one('send'), to }) },
  { weight: 4, arbitrary: fc.record({ do: one('read', 'unread'), who, which }) },
  { weight: 4, arbitrary: fc.record({ do: one('count'), who }) },
  { weight: 9, arbitrary: fc.record({ do: moves, who, which }) },
  { weight: 2, arbitrary: fc.record({ do: one('endSnooze'), who, which, back: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: one('readAll', 'readAllAndUndo'), who, behind: fc.nat({ max: 2 }) }) },
);

// The model: one row for each recipient, with its own read mark as the sender sees it.
type Delivery = { title: string; read: boolean; archived: boolean; snooze: null | 'waits' | 'back' };
type Person = { employee: Employee; active: boolean; inbox: Map<number, Delivery> };

// Everyone has it. Unlike a send to everyone, one to a role has a list.
const role = 'Kasir';

async function runHistory(steps: Step[]): Promise<void> {
  const company = await makeCompany();
  const key = await principalOf(await company.newKey());
  const people: Person[] = [];
  let no = 0;
  for (const [at, now] of steps.entries()) {
    if (now.do === 'hire') people.push({ employee: await company.hire('Orang', role), active: true, inbox: new Map() });
    else if (now.do === 'send') {
      const title = `ke-${at}`;
      const target = typeof now.to === 'string' ? null : people[now.to];
      if (target === undefined) continue;
      const recipients = people.filter((person) => person.active && (target === null || person === target));
      const to = target ? toOne(target.employee.employeeId) : toEveryone;
      const draft = { ...keyDraft, ...to, title };
      if (now.to !== 'role')
        expect(await sendNotification(key, draft, 'model')).toEqual({ reach: recipients.length, replayed: false });
      else {
        const manual = aDraft({ ...toRoles(role), title });
        expect(await sendManually(company.owner, manual)).toMatchObject({ reach: recipients.length });
      }
      no++;
      for (const { inbox } of recipients) inbox.set(no, { title, read: false, archived: false, snooze: null });
    } else {
      const person = people[now.who];
      if (person) await act(person, now, no, company.owner);
    }
  }
  for (const person of people) await compare(person);
}

async function act(person: Person, now: Step, last: number, owner: Owner): Promise<void> {
  const { employee, inbox } = person;
  if (now.do === 'activate' || now.do === 'deactivate') {
    const active = now.do === 'activate';
    expect(await setEmployeesActive(owner, [employee.employeeId], active)).toBe(person.active === active ? 0 : 1);
    person.active = active;
  } else if (now.do === 'read' || now.do === 'unread') {
    const read = now.do === 'read';
    const delivery = inbox.get(now.which);
    expect(await markRead(employee, now.which, read)).toBe(delivery ? 'marked' : 'not-in-inbox');
    if (!delivery) return;
    delivery.read = read;
    if (!read) delivery.archived = false;
    if (read && delivery.snooze === 'back') delivery.snooze = null;
  } else if (now.do === 'count') {
    const unread = [...inbox.values()].filter(isUnread);
    expect((await countUnread(employee, { settleEvery: 1 })).count).toBe(unread.length);
  } else if (now.do === 'readAllAndUndo') {
    expect(await undoMarkAllRead(employee, await markAllRead(employee, Math.max(0, last - now.behind)))).toBe(true);
  } else if (now.do === 'readAll') {
    const upTo = Math.max(0, last - now.behind);
    await markAllRead(employee, upTo);
    for (const [no, delivery] of inbox)
      if (no <= upTo && delivery.snooze !== 'waits') Object.assign(delivery, { read: true, snooze: null });
  } else await putAway(person, now);
}

const isListed = ({ archived, snooze }: Delivery) => !archived && snooze === null;
const isUnread = (delivery: Delivery) => delivery.snooze === 'back' || (isListed(delivery) && !delivery.read);

async function putAway({ employee, inbox }: Person, now: Step): Promise<void> {
  if (!('which' in now)) return;
  const no = now.which;
  const delivery = inbox.get(no);
  const wasArchived = delivery?.archived ?? false;
  if (now.do === 'archive' || (now.do === 'archiveAndUndo' && !wasArchived)) {
    const archived = await archive(employee, no);
    if (!delivery) expect(archived).toBe('not-in-inbox');
    else if (now.do === 'archive') Object.assign(delivery, { read: true, archived: true, snooze: null });
    else {
      await returnToInbox(employee, no, archived as BeforeMove);
      if (delivery.snooze === 'waits') delivery.snooze = null;
    }
  } else if (now.do === 'restore') {
    await returnToInbox(employee, no, { unread: false, back: false });
    if (delivery) Object.assign(delivery, { archived: false, snooze: null });
  } else if (now.do === 'snooze') {
    const snoozed = await snooze(employee, no, 'hour');
    if (!delivery) expect(snoozed).toBe('not-in-inbox');
    else Object.assign(delivery, { archived: false, snooze: 'waits' });
  } else if (now.do === 'comeBack') {
    await sql()`update receipts set snoozed_until = now()
      where company_id = ${employee.companyId} and employee_id = ${employee.employeeId} and no = ${no} and snoozed_until > now()`;
    if (delivery?.snooze) delivery.snooze = 'back';
  } else if (now.do === 'endSnooze') {
    await returnToInbox(employee, no, { unread: false, back: now.back });
    if (delivery?.snooze || wasArchived)
      Object.assign(delivery ?? {}, { archived: false, snooze: now.back ? 'back' : null });
  }
}

async function compare({ employee, inbox }: Person): Promise<void> {
  const all = [...inbox].map(([no, delivery]) => ({ no, ...delivery })).toReversed();
  const numbers = (rows: { no: number }[]) => rows.map(({ no }) => no);
  const read = await db().execute<{ no: number }>(expression`
    select n.no from notifications n
    join employees e on e.company_id = n.company_id and e.id = ${employee.employeeId}
    left join receipts r on r.company_id = e.company_id and r.employee_id = e.id and r.no = n.no
    where n.company_id = ${employee.companyId} and n.no = any(${expression.param(numbers(all))}::bigint[]) and ${hasRead} order by n.no desc`);
  expect(numbers([...read]), 'what the sender sees').toEqual(numbers(all.filter((one) => one.read)));
  const back = all.filter(({ snooze }) => snooze === 'back');
  const expected = all.filter(isListed);
  const list = (options: Parameters<typeof listInbox>[1]) => listInbox(employee, { limit: 100, ...options });
  const { items } = await list({});
  // Notifications that came back at the same moment have no fixed order.
  expect(numbers(items.slice(0, back.length)).toSorted((a, b) => b - a)).toEqual(numbers(back));
  expect(items.slice(0, back.length).every((item) => item.back && !item.read)).toBe(true);
  expect(items.slice(back.length).map((item) => ({ no: item.no, title: item.title, read: item.read }))).toEqual(
    expected.map((one) => ({ no: one.no, title: one.title, read: one.read })),
  );
  const unread = expected.filter((one) => !one.read);
  expect((await countUnread(employee)).count).toBe(unread.length + back.length);
  const onlyUnread = await list({ filter: { unread: true } });
  expect(numbers(onlyUnread.items.slice(back.length))).toEqual(numbers(unread));
  const placed = async (place: 'archive' | 'snoozed') => numbers((await list({ filter: { place } })).items);
  expect(await placed('archive')).toEqual(numbers(all.filter(({ archived }) => archived)));
  expect(await placed('snoozed')).toEqual(numbers(all.filter(({ snooze }) => snooze === 'waits')));
  const after = expected[Math.floor(expected.length / 2)]?.no ?? 0;
  const later = numbers(expected.filter(({ no }) => no > after));
  expect(numbers(await listInboxSince(employee, after))).toEqual(later.toReversed());
  await comparePages(employee, back.length, numbers(expected));
  const unreadFirst = [...unread, ...expected.filter((one) => one.read)];
  await comparePages(employee, back.length, numbers(unreadFirst), true);
}

async function comparePages(employee: Employee, back: number, expected: number[], unreadFirst = false): Promise<void> {
  const seen: number[] = [];
  for (let page = { more: true, next: {} } as InboxPage; page.more; ) {
    page = await listInbox(employee, { ...page.next, limit: 3, unreadFirst });
    seen.push(...page.items.map(({ no }) => no));
  }
  expect(seen.slice(back)).toEqual(expected);
}

// Every history begins with two employees and two notifications.
const beginning: Step[] = [{ do: 'hire' }, { do: 'hire' }, { do: 'send', to: 'everyone' }, { do: 'send', to: 0 }];
const history = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }).map((steps) => [...beginning, ...steps]);

test('random histories give the same inbox, unread count and reach as one row per recipient', async () => {
  await fc.assert(fc.asyncProperty(history, runHistory), { numRuns: 15, endOnFailure: true });
}, 300_000);
