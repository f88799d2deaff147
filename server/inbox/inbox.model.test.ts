import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCompany } from '#harness/company.ts';
import { setEmployeeActive } from '#server/employees/employees.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { markAllRead, markRead, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { authenticateKey, fingerprintOf } from '#server/keys/keys.ts';
import type { ApiKey, Employee } from '#server/principals.ts';
import { sendNotification } from '#server/sends/send.ts';

type Step =
  | { do: 'hire' }
  | { do: 'activate' | 'deactivate'; who: number }
  | { do: 'send'; to: number | 'everyone' }
  | { do: 'read' | 'unread'; who: number; which: number }
  | { do: 'count'; who: number }
  | { do: 'readAll' | 'readAllAndUndo'; who: number; behind: number };

const who = fc.nat({ max: 2 });
// Mostly the first few, so that one notification is marked repeatedly.
const which = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 4 }) }, { weight: 1, arbitrary: fc.nat({ max: 14 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hire' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('activate' as const, 'deactivate' as const), who }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      to: fc.oneof(who, fc.constant('everyone' as const), fc.constant('everyone' as const)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'unread' as const), who, which }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('count' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('readAll' as const, 'readAllAndUndo' as const),
      who,
      behind: fc.nat({ max: 2 }),
    }),
  },
);

// The model: one row for each recipient, with its own read mark.
type Delivery = { title: string; read: boolean };
type Person = { employee: Employee; active: boolean; inbox: Map<number, Delivery> };

async function runHistory(steps: Step[]): Promise<void> {
  const company = await makeCompany();
  const key = (await authenticateKey(fingerprintOf(await company.newKey()))) as ApiKey;
  const people: Person[] = [];
  let no = 0;
  for (const [at, now] of steps.entries()) {
    if (now.do === 'hire') people.push({ employee: await company.hire(), active: true, inbox: new Map() });
    else if (now.do === 'send') {
      const title = `ke-${at}`;
      const target = now.to === 'everyone' ? null : people[now.to];
      if (target === undefined) continue;
      const recipients = people.filter((person) => person.active && (target === null || person === target));
      const draft = {
        recipientId: target?.employee.employeeId ?? 0,
        title,
        body: 'x',
        kind: 'info',
        url: null,
      } as const;
      expect(await sendNotification(key, draft, 'model')).toEqual({ reach: recipients.length, replayed: false });
      no++;
      for (const { inbox } of recipients) inbox.set(no, { title, read: false });
    } else {
      const person = people[now.who];
      if (person) await act(person, now, no, company.owner);
    }
  }
  for (const person of people) await compare(person);
}

async function act(
  person: Person,
  now: Step,
  last: number,
  owner: Parameters<typeof setEmployeeActive>[0],
): Promise<void> {
  const { employee, inbox } = person;
  if (now.do === 'activate' || now.do === 'deactivate') {
    const active = now.do === 'activate';
    expect(await setEmployeeActive(owner, employee.employeeId, active)).toBe(
      person.active === active ? 'unchanged' : 'changed',
    );
    person.active = active;
  } else if (now.do === 'read' || now.do === 'unread') {
    const read = now.do === 'read';
    const delivery = inbox.get(now.which);
    expect(await markRead(employee, now.which, read)).toBe(delivery ? 'marked' : 'not-in-inbox');
    if (delivery) delivery.read = read;
  } else if (now.do === 'count') {
    const unread = [...inbox.values()].filter((delivery) => !delivery.read);
    expect((await countUnread(employee, { settleEvery: 1 })).count).toBe(unread.length);
  } else if (now.do === 'readAllAndUndo') {
    expect(await undoMarkAllRead(employee, await markAllRead(employee, Math.max(0, last - now.behind)))).toBe(true);
  } else if (now.do === 'readAll') {
    const upTo = Math.max(0, last - now.behind);
    await markAllRead(employee, upTo);
    for (const [no, delivery] of inbox) if (no <= upTo) delivery.read = true;
  }
}

async function compare({ employee, inbox }: Person): Promise<void> {
  const expected = [...inbox].map(([no, { title, read }]) => ({ no, title, read })).toReversed();
  const { items } = await listInbox(employee, { limit: 100 });
  expect(items.map(({ no, title, read }) => ({ no, title, read }))).toEqual(expected);
  const unread = expected.filter(({ read }) => !read);
  expect((await countUnread(employee)).count).toBe(unread.length);
  const onlyUnread = await listInbox(employee, { filter: { unread: true }, limit: 100 });
  expect(onlyUnread.items.map(({ no }) => no)).toEqual(unread.map(({ no }) => no));
  const after = expected[Math.floor(expected.length / 2)]?.no ?? 0;
  expect((await listInboxSince(employee, after)).map(({ no }) => no)).toEqual(
    expected
      .filter(({ no }) => no > after)
      .map(({ no }) => no)
      .toReversed(),
  );
  await comparePages(
    employee,
    expected.map(({ no }) => no),
  );
}

async function comparePages(employee: Employee, expected: number[]): Promise<void> {
  const seen: number[] = [];
  for (let hasMore = true, before: number | undefined; hasMore; before = seen.at(-1)) {
    const page = await listInbox(employee, { before, limit: 3 });
    seen.push(...page.items.map(({ no }) => no));
    hasMore = page.more;
  }
  expect(seen).toEqual(expected);
}

// Every history begins with two employees and two notifications.
const beginning: Step[] = [{ do: 'hire' }, { do: 'hire' }, { do: 'send', to: 'everyone' }, { do: 'send', to: 0 }];
const history = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }).map((steps) => [...beginning, ...steps]);

test('random histories give the same inbox, unread count and reach as one row per recipient', async () => {
  await fc.assert(fc.asyncProperty(history, runHistory), { numRuns: 15, endOnFailure: true });
}, 300_000);
