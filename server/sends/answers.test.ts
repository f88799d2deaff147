import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql, type Transaction } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany, must } from '#e2e/support/data/company.ts';
import { daily, sendAllDue } from '#e2e/support/data/plans-and-joins.ts';
import { confirmAs, content, keyDraft, toOne, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { listAudit } from '#server/audit/list.ts';
import { findSettings } from '#server/audit/record.ts';
import { findInInbox, listChangesSince, listInbox } from '#server/inbox/inbox.ts';
import { archive } from '#server/inbox/moves.ts';
import { recordShown } from '#server/inbox/read-state.ts';
import { countToConfirm, countUnread } from '#server/inbox/unread.ts';
import { findAnswersProblem } from '#server/notifications/field-rules.ts';
import type { Employee } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import type { DraftContent } from '#server/sends/drafts.ts';
import { closeQuestion, correctNotification, withdrawNotification } from '#server/sends/history/changes.ts';
import { findRecipient, findSend, findSendContent, listRecipients } from '#server/sends/history/details.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';
import { listSends } from '#server/sends/history/send-list.ts';
import { remind } from '#server/sends/manual/send-manually.ts';
import { findTemplate, saveTemplate } from '#server/sends/manual/templates.ts';
import { findPlanned, findRule, listPlanned } from '#server/sends/planned/planned-list.ts';
import { findUndone, holdSend, planSend, undoHeldSend } from '#server/sends/planned/planned-sends.ts';
import { makeRule } from '#server/sends/planned/send-rules.ts';
import { countCompany, listStatistics } from '#server/sends/statistics/statistics.ts';

const answers = ['Bisa', 'Tidak bisa'];
const text = { title: 'Siapa bisa lembur malam ini?', body: 'Sampai jam 9', url: null };

const ask = (company: Company, changes: object = {}) =>
  writeManualDraft(company, { ...text, answers, ...changes, draftId: randomUUID() });
const give = confirmAs;
const outcomeOf = async ({ owner }: Company, no: number) => (await countOutcomes(owner, [no]))?.get(no);
const actionsOf = async ({ owner }: Company) =>
  (await listAudit(owner, { limit: 50 })).entries.filter(({ action }) => action === 'notification.answer');

test('one answer counts as read and confirmed, is counted by name, can be changed', async ({ company, owner }) => {
  const [a, b, c] = [await company.hire('Ani'), await company.hire('Budi'), await company.hire('Cici')];
  const no = await ask(company);
  expect(await findInInbox(a, no)).toMatchObject({ answers, mustConfirm: true, answer: null, confirmedAt: null });
  expect(await countToConfirm(a)).toBe(1);
  expect(await archive(a, no)).toBe('to-confirm');
  const first = must(await give(a, no, 1));
  expect(first).toEqual({ confirmedAt: expect.any(Date) });
  expect(await give(a, no, 1), 'two presses are one answer').toEqual(first);
  expect(await findInInbox(a, no)).toMatchObject({ ...first, answer: 1, read: true, mustConfirm: true });
  expect([await countToConfirm(a), (await countUnread(a)).count]).toEqual([0, 0]);
  await give(b, no, 2);
  expect(await outcomeOf(company, no)).toMatchObject({ read: 2, confirmed: 2, answers: [1, 1, 0, 0] });
  const named = async (state: 'answer1' | 'answer2' | 'unconfirmed') =>
    (await listRecipients(owner, no, { filter: { state } })).people.map(({ name }) => name);
  const all = [...(await named('answer1')), ...(await named('answer2')), ...(await named('unconfirmed'))];
  expect(all).toEqual(['Ani', 'Budi', 'Cici']);
  const later = must(await give(a, no, 2));
  expect(later.confirmedAt.getTime()).toBeGreaterThan(first.confirmedAt.getTime());
  expect(await findRecipient(owner, no, a.employeeId)).toMatchObject({ ...later, answer: 2 });
  expect(await outcomeOf(company, no)).toMatchObject({ confirmed: 2, answers: [0, 2, 0, 0] });
  expect((await actionsOf(company)).map(({ details }) => details)).toEqual([
    { no, title: text.title, employeeId: a.employeeId, answer: 'Tidak bisa' },
    { no, title: text.title, employeeId: b.employeeId, answer: 'Tidak bisa' },
    { no, title: text.title, employeeId: a.employeeId, answer: 'Bisa' },
  ]);
  expect((await listSends(owner, { filter: { state: 'unconfirmed' } })).sends).toMatchObject([{ no, answers }]);
  expect(await give(c, no, 1)).toEqual({ confirmedAt: expect.any(Date) });
  expect((await listSends(owner, { filter: { state: 'unconfirmed' } })).sends).toEqual([]);
});

test('a question takes only its answers, and no other message takes one', async ({ company, other }) => {
  const [employee, foreign] = [await company.hire(), await other.hire()];
  const no = await ask(company);
  for (const answer of [null, 3, 4]) expect(await give(employee, no, answer)).toBe('nothing-to-confirm');
  expect(await give(foreign, no, 1)).toBe('nothing-to-confirm');
  const rule = await writeManualDraft(company, { mustConfirm: true });
  expect(await give(employee, rule, 1)).toBe('nothing-to-confirm');
  expect(await give(employee, rule, null)).toEqual({ confirmedAt: expect.any(Date) });
  await sendNotification(await principalOf(await company.newKey()), keyDraft, 'x');
  expect(await findInInbox(employee, 3)).toMatchObject({ answers: null, mustConfirm: false });
  expect(await outcomeOf(company, no)).toMatchObject({ confirmed: 0, answers: [0, 0, 0, 0] });
});

test('answers are two to four different texts of 1 to 24 characters; empty fields are left out', () => {
  const problems = [
    [[], null],
    [['Ya', 'Tidak', '', ' '], null],
    [['Hadir', 'Tidak hadir', 'Terlambat', 'x'.repeat(24)], null],
    [['', '', '', ''], 'few'],
    [['Ya', ' '], 'few'],
    [['Ya', ' ya'], 'same'],
    [['Ya', 'x'.repeat(25)], 'too_long'],
    [['Ya', 'Tidak\0'], 'forbidden_character'],
  ] as const;
  for (const [fields, problem] of problems) expect(findAnswersProblem([...fields]), fields.join()).toBe(problem);
});

test('a closed question takes no answer and asks nobody; what was answered stays', async ({ company, owner }) => {
  const [a, b] = [await company.hire('Ani'), await company.hire('Budi')];
  const no = await ask(company);
  await give(a, no, 1);
  const { no: reminder } = (await remind(owner, no, null)) as { no: number };
  expect(await closeQuestion(owner, reminder)).toBe('no-such-question');
  await countCompany(owner);
  const months = { from: '2000-01', to: new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 7) };
  const [before] = await listStatistics(owner, months);
  expect(before).toMatchObject({ toConfirm: 2, confirmed: 1 });
  const { lastNo: newest } = await findSettings(owner, ['lastNo']);
  expect(await closeQuestion(owner, no)).toBe('closed');
  expect(await closeQuestion(owner, no)).toBe('no-such-question');
  expect([await give(a, no, 2), await give(b, no, 1)]).toEqual(['nothing-to-confirm', 'nothing-to-confirm']);
  expect(await remind(owner, no, null)).toBe('no-such-notification');
  expect(await countToConfirm(b)).toBe(0);
  // Both took one number, so their order is open.
  expect((await listChangesSince(b, newest)).corrected.toSorted()).toEqual([no, reminder]);
  expect(await findInInbox(a, no)).toMatchObject({ mustConfirm: false, answers, answer: 1, correctedAt: null });
  for (const one of [no, reminder]) {
    expect(await findInInbox(b, one)).toMatchObject({ mustConfirm: false, answers, answer: null });
    expect(await archive(b, one)).toMatchObject({ back: false });
  }
  expect(await findSend(owner, no)).toMatchObject({ mustConfirm: true, answers, closedAt: expect.any(Date) });
  expect(await outcomeOf(company, no)).toMatchObject({ confirmed: 1, answers: [1, 0, 0, 0] });
  await countCompany(owner);
  expect(await listStatistics(owner, months), 'archiving has read it').toEqual([{ ...before, readWithinHour: 2 }]);
  const [entry] = (await listAudit(owner, { limit: 1 })).entries;
  expect(entry).toMatchObject({ action: 'notification.close', details: { no, title: text.title } });
  const rule = await writeManualDraft(company, { mustConfirm: true });
  expect(await closeQuestion(owner, rule)).toBe('no-such-question');
  const withdrawn = await ask(company);
  await withdrawNotification(owner, withdrawn);
  expect(await closeQuestion(owner, withdrawn)).toBe('no-such-question');
});

test('a reminder is to who has not answered, has the answers, is answered with its question', async ({ company }) => {
  const [a, b] = [await company.hire('Ani'), await company.hire('Budi')];
  const no = await ask(company);
  await give(a, no, 2);
  const { no: reminder, reach } = (await remind(company.owner, no, null)) as { no: number; reach: number };
  // A changed answer brings no reminder that was sent before.
  await give(a, no, 1);
  expect(reach).toBe(1);
  expect(await findInInbox(b, reminder)).toMatchObject({ remindsNo: no, answers, mustConfirm: true, answer: null });
  expect(await give(b, reminder, 1)).toBe('nothing-to-confirm');
  await give(b, no, 1);
  expect(await findInInbox(b, reminder)).toMatchObject({ answer: 1, confirmedAt: expect.any(Date), read: true });
  expect((await listInbox(a)).items).toHaveLength(1);
});

test('a correction keeps the answers and marks earlier ones, until they are given again', async ({ company }) => {
  const [a, b] = [await company.hire(), await company.hire()];
  const no = await ask(company);
  await give(a, no, 1);
  expect(await correctNotification(company.owner, no, { ...text, body: 'Sampai jam 10' })).toBe('corrected');
  await give(b, no, 1);
  expect(await outcomeOf(company, no)).toMatchObject({ answers: [2, 0, 0, 0], beforeCorrection: 1 });
  expect(await findInInbox(a, no)).toMatchObject({ answer: 1, body: 'Sampai jam 10', answers });
  await give(a, no, 1);
  expect(await outcomeOf(company, no)).toMatchObject({ answers: [2, 0, 0, 0], beforeCorrection: 0 });
});

test('an answer that a correction waits for was given to the former text', async ({ company, owner, employee }) => {
  const no = await ask(company);
  const correction = await sql().begin(async (tx) => {
    // As an answer does, it keeps a correction out until it has its time.
    await tx`select from notifications where company_id = ${owner.companyId} and no = ${no} for share`;
    const waiting = correctNotification(owner, no, { ...text, title: 'Lain' });
    await waitForLock('%for no key update%');
    await tx`insert into receipts (company_id, employee_id, no, confirmed_at, answer)
      values (${owner.companyId}, ${employee.employeeId}, ${no}, clock_timestamp(), 1)`;
    return { waiting };
  });
  expect(await correction.waiting).toBe('corrected');
  expect(await outcomeOf(company, no)).toMatchObject({ confirmed: 1, beforeCorrection: 1 });
});

// Waits until a statement waits for a lock.
const waitForLock = (statement: string) => {
  const waiting = () => sql()`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${statement}`;
  return expect.poll(waiting).not.toHaveLength(0);
};

// Runs `during` while the receipt of a person is locked, so that their answer has begun and is not stored.
async function holdAnswer<Value>({ companyId, employeeId }: Employee, during: (tx: Transaction) => Promise<Value>) {
  const held = await sql().begin(async (tx) => {
    await tx`select from receipts where company_id = ${companyId} and employee_id = ${employeeId} for update`;
    return { value: await during(tx) };
  });
  return held.value;
}

test('of two answers of one person at once, the later counts, and stays whole', async ({ company, employee }) => {
  const { companyId, employeeId } = employee;
  const no = await ask(company);
  await recordShown(employee, [no]);
  const { second, first } = await holdAnswer(employee, async (tx) => {
    const second = give(employee, no, 2);
    await waitForLock('insert into "receipts"%');
    await tx`select pg_sleep(0.01)`;
    const [first] = await tx<{ at: Date }[]>`update receipts set confirmed_at = clock_timestamp(), answer = 1
      where company_id = ${companyId} and employee_id = ${employeeId} and no = ${no} returning confirmed_at as at`;
    return { second: [second] as const, first };
  });
  const { confirmedAt } = must(await second[0]);
  expect(await findInInbox(employee, no)).toMatchObject({ answer: 2, confirmedAt });
  expect(confirmedAt.getTime()).toBeGreaterThanOrEqual(first?.at.getTime() ?? Number.POSITIVE_INFINITY);
});

const ends = {
  withdrawal: ({ owner }: Company, no: number) => withdrawNotification(owner, no),
  closing: ({ owner }: Company, no: number) => closeQuestion(owner, no),
  removal: (company: Company, _no: number, employee: Employee) => company.deactivate(employee),
};

for (const name of ['withdrawal', 'closing'] as const)
  test(`a ${name} waits for an answer that is being stored, which counts`, async () => {
    const company = await makeCompany();
    const employee = await company.hire();
    const no = await ask(company);
    await recordShown(employee, [no]);
    const [answered, ended] = await holdAnswer(employee, async () => {
      const answered = give(employee, no, 1);
      await waitForLock('insert into "receipts"%');
      const ended = ends[name](company, no);
      await waitForLock('%update "notifications"%');
      return [[answered], [ended]] as const;
    });
    expect(await answered[0]).toEqual({ confirmedAt: expect.any(Date) });
    expect(await ended[0]).toBe(name === 'closing' ? 'closed' : 'withdrawn');
    expect(await actionsOf(company)).toHaveLength(1);
  });

for (const [name, end] of Object.entries(ends))
  test(`an answer and a ${name} at once leave an answer with its audit entry, or neither`, async () => {
    const company = await makeCompany();
    let stored = 0;
    for (let round = 0; round < 10; round++) {
      const employee = await company.hire();
      const no = await ask(company, { title: `Tanya ${round}`, ...toOne(employee.employeeId) });
      const [given] = await Promise.all([give(employee, no, 1), end(company, no, employee)]);
      const counted = (await outcomeOf(company, no))?.answers[0];
      expect(counted).toBe(typeof given === 'object' ? 1 : 0);
      stored += counted ?? 0;
      expect(await actionsOf(company)).toHaveLength(stored);
      if (name !== 'removal') expect(await give(employee, no, 2)).toBe('nothing-to-confirm');
    }
  });

test('who was removed keeps the answer, counts with a mark, and is not reminded', async ({ company }) => {
  const [a, b] = [await company.hire(), await company.hire()];
  const no = await ask(company);
  await give(a, no, 1);
  await company.deactivate(a);
  await company.deactivate(b);
  expect(await outcomeOf(company, no)).toMatchObject({ answers: [1, 0, 0, 0] });
  expect(await findRecipient(company.owner, no, a.employeeId)).toMatchObject({ active: false, answer: 1 });
  expect(await remind(company.owner, no, null)).toBe('nobody-left');
});

test('plans, repeats, templates, undone and further sends have the answers', async ({ company, owner, employee }) => {
  const draft: DraftContent = { ...content, ...text, answers: ['Hadir', 'Tidak hadir', 'Terlambat'] };
  const template = must(await saveTemplate(owner, null, 'Rapat', draft));
  expect(await findTemplate(owner, template)).toMatchObject(draft);
  const withId = (draft: DraftContent) => ({ ...draft, draftId: randomUUID() });
  const undone = withId(draft);
  await holdSend(owner, undone);
  await undoHeldSend(owner, undone.draftId);
  expect(await findUndone(owner, undone.draftId)).toMatchObject(draft);
  const plan = withId(draft);
  await planSend(owner, plan, '2027-03-01T08:00');
  expect(await findPlanned(owner, plan.draftId)).toMatchObject(draft);
  must(await makeRule(owner, withId(draft), daily));
  const [rule] = (await listPlanned(owner)).rules;
  expect(await findRule(owner, rule?.id ?? 0)).toMatchObject(draft);
  await sql()`update planned_sends set leaves_at = now() - interval '1 minute' where company_id = ${owner.companyId}`;
  await sendAllDue(company);
  const item = { answers: draft.answers, mustConfirm: true };
  expect((await listInbox(employee)).items).toMatchObject([item, item]);
  expect(await findSendContent(owner, 1)).toMatchObject({ ...draft, mustConfirm: true });
});
