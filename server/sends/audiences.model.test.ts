import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { confirmAs, keyDraft, toEveryone, toOne, toPeople, toRoles } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { editEmployee, setEmployeesActive } from '#server/employees/employees.ts';
import { isAddressedTo } from '#server/feed/announcement.ts';
import { CompanyFeed, type FeedSubscriber } from '#server/feed/company-feed.ts';
import { findInInbox, listChangesSince, listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { markAllRead, markRead } from '#server/inbox/read-state.ts';
import { countToConfirm, countUnread } from '#server/inbox/unread.ts';
import type { Recipients } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { findRecipient, findSend, listRecipients } from '#server/sends/history/details.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { remind, sendManually } from '#server/sends/manual/send-manually.ts';

const roles = ['Kasir', 'Koki', 'kasir'];
type To = { people: number[] } | { roles: number[] } | { one: number } | 'everyone';
type Step =
  | { do: 'hire'; role: number }
  | { do: 'role'; who: number; role: number }
  | { do: 'activate' | 'deactivate'; who: number }
  | { do: 'send'; to: To; mustConfirm: boolean }
  | { do: 'remind' | 'withdraw'; which: number }
  | { do: 'read' | 'confirm'; who: number; which: number }
  | { do: 'readAll'; who: number };

const who = fc.nat({ max: 4 });
const role = fc.nat({ max: 2 });
const which = fc.nat({ max: 9 });
const to: fc.Arbitrary<To> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ roles: fc.array(role, { minLength: 1, maxLength: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ people: fc.array(who, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ one: who }) },
  { weight: 1, arbitrary: fc.constant('everyone' as const) },
);
const one = <Name extends string>(...names: Name[]) => fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one('hire'), role }) },
  { weight: 4, arbitrary: fc.record({ do: one('role'), who, role }) },
  { weight: 3, arbitrary: fc.record({ do: one('activate', 'deactivate'), who }) },
  { weight: 8, arbitrary: fc.record({ do: one('send'), to, mustConfirm: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: one('remind', 'withdraw'), which }) },
  { weight: 4, arbitrary: fc.record({ do: one('read', 'confirm'), who, which }) },
  { weight: 1, arbitrary: fc.record({ do: one('readAll'), who }) },
);

// The model: each person has a list of what they received, and whether it was read and confirmed.
type Delivery = { read: boolean; confirmed: boolean };
type Person = { employee: Employee; active: boolean; role: number; inbox: Map<number, Delivery> };
type Sent = {
  mustConfirm: boolean;
  remindsNo: number | null;
  reached: Person[];
  withdrawn: boolean;
  toEveryone: boolean;
};

class History {
  readonly people: Person[] = [];
  readonly sends = new Map<number, Sent>();
  private no = 0;
  private readonly company: Company;
  private readonly feed: CompanyFeed;

  constructor(company: Company) {
    this.company = company;
    this.feed = new CompanyFeed(company.owner.companyId, { lastNo: 0, accessNo: 0 }, async () => {});
  }

  async run(now: Step): Promise<void> {
    const { owner } = this.company;
    if (now.do === 'hire') {
      const employee = await this.company.hire('Orang', roles[now.role]);
      this.people.push({ employee, active: true, role: now.role, inbox: new Map() });
    } else if (now.do === 'send') await this.send(now.to, now.mustConfirm);
    else if (!('who' in now)) await (now.do === 'remind' ? this.remind(now.which) : this.withdraw(now.which));
    else {
      const person = this.people[now.who];
      if (!person) return;
      const { employee } = person;
      if (now.do === 'role') {
        const details = { name: 'Orang', role: roles[now.role] ?? '' };
        expect(await editEmployee(owner, employee.employeeId, details)).toBe('edited');
        person.role = now.role;
      } else if (now.do === 'activate' || now.do === 'deactivate') {
        await setEmployeesActive(owner, [employee.employeeId], now.do === 'activate');
        person.active = now.do === 'activate';
      } else if (now.do === 'readAll') {
        await markAllRead(employee, this.no);
        for (const delivery of person.inbox.values()) delivery.read = true;
      } else if ('which' in now) await this.act(person, now.do, now.which);
    }
  }

  private async send(target: To, mustConfirm: boolean): Promise<void> {
    const wanted = this.choose(target);
    const draft = { ...keyDraft, ...wanted.draft, mustConfirm };
    const reached = wanted.people.filter(({ active }) => active);
    const skipped = wanted.people.length - reached.length;
    const sent = await sendManually(this.company.owner, { ...draft, draftId: randomUUID() });
    if (wanted.people.length === 0 && target !== 'everyone') {
      expect(sent).toBe('not-in-company');
      return;
    }
    this.no++;
    const isToSeveral = target !== 'everyone' && !('one' in target);
    expect(sent).toEqual({ no: this.no, reach: reached.length, skipped: isToSeveral ? skipped : null });
    const isToEveryone = target === 'everyone';
    await this.receive(reached, { mustConfirm, remindsNo: null, withdrawn: false, toEveryone: isToEveryone });
  }

  private choose(target: To): { people: Person[]; draft: { recipients: Recipients } } {
    if (target === 'everyone') return { people: this.people.filter(({ active }) => active), draft: toEveryone };
    if ('one' in target) {
      const person = this.people[target.one];
      return { people: person ? [person] : [], draft: toOne(person?.employee.employeeId ?? 987_654_321) };
    }
    if ('roles' in target) {
      const people = this.people.filter((person) => target.roles.includes(person.role));
      return { people, draft: toRoles(...target.roles.flatMap((at) => roles[at] ?? [])) };
    }
    const people = [...new Set(target.people.flatMap((at) => this.people[at] ?? []))];
    const ids = target.people.flatMap((at) => this.people[at]?.employee.employeeId ?? []);
    return { people, draft: toPeople(...ids) };
  }

  // What open streams and polls get is what the model says.
  private async receive(reached: Person[], sent: Omit<Sent, 'reached'>): Promise<void> {
    this.sends.set(this.no, { ...sent, reached });
    for (const { inbox } of reached) inbox.set(this.no, { read: false, confirmed: false });
    await this.expectDelivered(reached, this.no);
  }

  private async expectDelivered(reached: Person[], no: number): Promise<void> {
    const delivered = new Set<Person>();
    for (const person of this.people.filter(({ active }) => active))
      this.feed.subscribers.add({
        session: { employee: person.employee, accessNo: this.feed.accessNo, lastNo: no - 1 },
        deliver: (one) => void (one.no === no && isAddressedTo(one, person.employee) && delivered.add(person)),
        // A disconnected reader asks the database.
        end: () => void (reached.includes(person) && delivered.add(person)),
      } as FeedSubscriber);
    await this.feed.update();
    this.feed.subscribers.clear();
    expect(delivered).toEqual(new Set(reached.filter(({ active }) => active)));
  }

  private async withdraw(no: number): Promise<void> {
    const sent = this.sends.get(no);
    const outcome = await withdrawNotification(this.company.owner, no);
    if (!sent || sent.withdrawn) return expect(outcome).toBe('no-such-notification');
    this.no++;
    // A reminder that was withdrawn before stays withdrawn at its own number.
    const undone = [...this.sends].filter(([at, one]) => (at === no || one.remindsNo === no) && !one.withdrawn);
    for (const [at, one] of undone) {
      one.withdrawn = true;
      for (const { inbox } of one.reached) inbox.delete(at);
    }
    // A withdrawal holds only a number, so people hired after a send to everyone may get it too.
    await this.expectDelivered(sent.toEveryone ? this.people : sent.reached, this.no);
    for (const person of this.people) {
      const { withdrawn } = await listChangesSince(person.employee, this.no - 1);
      const own = undone.flatMap(([at, one]) => (one.reached.includes(person) ? at : []));
      expect(withdrawn.filter((at) => own.includes(at)).sort()).toEqual(own.sort());
    }
  }

  private async remind(no: number): Promise<void> {
    const sent = this.sends.get(no);
    const outcome = await remind(this.company.owner, no, null);
    if (!sent?.mustConfirm || sent.withdrawn || sent.reached.length === 0)
      return expect(outcome).toBe('no-such-notification');
    if ([...this.sends.values()].some(({ remindsNo }) => remindsNo === no))
      return expect(outcome).toHaveProperty('retryAt');
    const left = sent.reached.filter(({ active, inbox }) => active && !inbox.get(no)?.confirmed);
    if (left.length === 0) return expect(outcome).toBe('nobody-left');
    this.no++;
    expect(outcome).toEqual({ no: this.no, reach: left.length });
    await this.receive(left, { mustConfirm: false, remindsNo: no, withdrawn: false, toEveryone: false });
  }

  private async act(person: Person, what: 'read' | 'confirm', no: number): Promise<void> {
    const { employee, inbox } = person;
    const delivery = inbox.get(no);
    if (what === 'read') {
      expect(await markRead(employee, no, true)).toBe(delivery ? 'marked' : 'not-in-inbox');
      if (delivery) delivery.read = true;
      return;
    }
    const outcome = await confirmAs(employee, no);
    if (!delivery || !this.sends.get(no)?.mustConfirm) return expect(outcome).toBe('nothing-to-confirm');
    expect(outcome).toHaveProperty('confirmedAt');
    if (delivery.confirmed) return;
    delivery.confirmed = true;
    delivery.read = true;
    for (const [at, one] of inbox) if (this.sends.get(at)?.remindsNo === no) one.read = true;
  }

  async compare(): Promise<void> {
    for (const { employee, inbox } of this.people) {
      const numbers = [...inbox.keys()].sort((a, b) => a - b);
      expect((await listInbox(employee, { limit: 100 })).items.map(({ no }) => no)).toEqual(numbers.toReversed());
      expect((await listInboxSince(employee, 0)).map(({ no }) => no)).toEqual(numbers);
      const unread = numbers.filter((no) => !inbox.get(no)?.read);
      const found = await listInbox(employee, { filter: { unread: true }, limit: 100 });
      expect(found.items.map(({ no }) => no)).toEqual(unread.toReversed());
      expect((await countUnread(employee)).count).toBe(unread.length);
      const toConfirm = numbers.filter((no) => this.sends.get(no)?.mustConfirm && !inbox.get(no)?.confirmed);
      expect(await countToConfirm(employee)).toBe(toConfirm.length);
      for (let no = 1; no <= this.no; no++) {
        const item = await findInInbox(employee, no);
        const received = this.sends.get(no)?.reached.some((one) => one.employee === employee);
        const seen = this.sends.get(no)?.withdrawn ? true : no;
        expect(item && (item === 'withdrawn' || item.no)).toBe(received ? seen : null);
      }
    }
    await this.compareSends();
  }

  private async compareSends(): Promise<void> {
    const { owner } = this.company;
    const outcomes = await countOutcomes(owner, [...this.sends.keys()]);
    for (const [no, { reached }] of this.sends) {
      const ids = reached.map(({ employee }) => employee.employeeId).sort((a, b) => a - b);
      const { people } = await listRecipients(owner, no, { limit: 100 });
      expect(people.map(({ id }) => id)).toEqual(ids);
      expect(await findSend(owner, no)).toMatchObject({ reach: ids.length });
      const confirmed = reached.filter(({ inbox }) => inbox.get(no)?.confirmed).length;
      const read = reached.filter(({ inbox }) => inbox.get(no)?.read).length;
      if (!this.sends.get(no)?.withdrawn && ids.length > 0)
        expect(outcomes?.get(no)).toMatchObject({ read, confirmed });
      const filtered = await listRecipients(owner, no, { filter: { state: 'unread' }, limit: 100 });
      if (!this.sends.get(no)?.withdrawn) expect(filtered.people).toHaveLength(ids.length - read);
      const [first] = this.people;
      if (first) {
        const { employeeId } = first.employee;
        expect((await findRecipient(owner, no, employeeId)) !== null).toBe(ids.includes(employeeId));
      }
    }
    for (const { employee } of this.people) {
      const { sends } = await listSends(owner, { filter: { employeeId: employee.employeeId }, limit: 100 });
      const theirs = [...this.sends].filter(([, { reached }]) => reached.some((one) => one.employee === employee));
      expect(sends.map(({ no }) => no)).toEqual(theirs.map(([no]) => no).toReversed());
    }
  }
}

test('after any history, everyone has exactly what was sent to them, their role or everyone', async ({ other }) => {
  const stranger = await other.hire('Tetangga', 'Kasir');
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
    const history = new History(await makeCompany());
    for (const now of [{ do: 'hire', role: 0 } as const, { do: 'hire', role: 1 } as const, ...steps])
      await history.run(now);
    await history.compare();
  });
  const hire = (role: number): Step => ({ do: 'hire', role });
  const send = (to: To, mustConfirm = false): Step => ({ do: 'send', to, mustConfirm });
  const change = (what: 'remind' | 'withdraw', which: number): Step => ({ do: what, which });
  const of = (who: number, what: 'activate' | 'deactivate' | 'readAll'): Step => ({ do: what, who });
  const by = (who: number, what: 'read' | 'confirm', which: number): Step => ({ do: what, who, which });
  const remind = change('remind', 1);
  const histories: Step[][] = [
    // A message to one inactive person, which is withdrawn, was in no inbox.
    [of(0, 'deactivate'), send({ one: 0 }), change('withdraw', 1)],
    // A reminder is to those who have not confirmed.
    [
      ...[hire(2), send('everyone', true), hire(0), by(0, 'confirm', 1), of(1, 'deactivate'), remind, remind],
      ...[of(1, 'activate'), by(2, 'confirm', 1), of(1, 'readAll')],
    ],
    // What is withdrawn is beside what stays.
    [send('everyone'), send({ roles: [0, 1] }), by(0, 'read', 2), change('withdraw', 2), change('withdraw', 2)],
    // Of a role some are inactive.
    [hire(0), hire(2), of(2, 'deactivate'), send({ roles: [0, 1, 0] }), send({ people: [0, 2, 0, 2] })],
    // A reminder is withdrawn before its original.
    [send({ roles: [0] }, true), remind, change('withdraw', 2), change('withdraw', 1)],
  ];
  const examples = histories.map((steps): [Step[]] => [steps]);
  await fc.assert(property, { numRuns: 25, examples });
  expect((await listInbox(stranger)).items).toEqual([]);
}, 240_000);
