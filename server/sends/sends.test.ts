import { expect } from 'vitest';
import { inTransaction, sql } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { aDraft, confirmAs, keyDraft, toOne, toRoles, writeManualDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { markAllRead, markRead, recordShown, undoMarkAllRead } from '#server/inbox/read-state.ts';
import type { Employee } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';
import { withdrawNotification } from '#server/sends/history/changes.ts';
import { findRecipient, findSend, listRecipients } from '#server/sends/history/details.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';
import { countSends, listSends, type SendFilter } from '#server/sends/history/send-list.ts';
import { remind, sendManually } from '#server/sends/manual/send-manually.ts';

const inboxOf = async (employee: Employee) => (await listInbox(employee, { limit: 100 })).items.map(({ no }) => no);

const keyOf = async (company: Company) => principalOf(await company.newKey());

// Recipients, reads and confirmations after any history: audiences.model.test.ts, inbox.model.test.ts.
test('an outcome counts who was shown a send; a recipient has the time of reading', async ({ company, other }) => {
  const [a, b, c] = [await company.hire(), await company.hire(), await company.hire()];
  const first = await writeManualDraft(company);
  await company.deactivate(b);
  const second = await writeManualDraft(company);
  await company.activate(b);
  await recordShown(a, [first, second]);
  await recordShown(b, [first]);
  await markAllRead(c, first);
  await undoMarkAllRead(c, await markAllRead(c, second));
  const outcomes = await countOutcomes(company.owner, [first, second]);
  expect(outcomes?.get(first)).toMatchObject({ shown: 2, read: 1, confirmed: 0, beforeCorrection: 0 });
  expect(outcomes?.get(second)).toMatchObject({ shown: 1, read: 0, confirmed: 0, beforeCorrection: 0 });
  const { people } = await listRecipients(company.owner, first);
  expect(people.filter(({ shownAt }) => shownAt).map(({ id }) => id)).toEqual([a.employeeId, b.employeeId]);
  const readBy = async (who: Employee, no: number) => (await findRecipient(company.owner, no, who.employeeId))?.readAt;
  expect(await readBy(c, first), 'the time of markAllRead').toBeInstanceOf(Date);
  expect(await readBy(c, second), 'the mark was undone').toBeNull();
  expect(await readBy(b, second), 'was inactive').toBeUndefined();
  expect(await findRecipient(other.owner, first, a.employeeId)).toBeNull();
});

test('the list of sends has filters for each column and pages without gaps', async ({ company, other }) => {
  await other.hire();
  await sendNotification(await keyOf(other), { ...keyDraft, title: 'Milik yang lain' }, 'x');
  const [a, b] = [await company.hire('Satu'), await company.hire('Dua')];
  const key = await keyOf(company);
  await sendNotification(key, { ...keyDraft, title: 'Lewat kunci', kind: 'gaji' }, 'x');
  await writeManualDraft(company, { title: 'Untuk satu', ...toOne(a.employeeId) });
  await writeManualDraft(company, { title: '100% _beres_', mustConfirm: true });
  await markAllRead(a, 2);
  await markAllRead(b, 1);
  const titles = async (filter: Parameters<typeof listSends>[1]) =>
    (await listSends(company.owner, filter)).sends.map(({ title }) => title);
  expect(await titles({})).toEqual(['100% _beres_', 'Untuk satu', 'Lewat kunci']);
  expect(await titles({ filter: { keyId: key.id } })).toEqual(['Lewat kunci']);
  expect(await titles({ filter: { isManual: true } })).toEqual(['100% _beres_', 'Untuk satu']);
  expect(await titles({ filter: { kind: 'gaji' } })).toEqual(['Lewat kunci']);
  expect(await titles({ filter: { employeeId: b.employeeId } })).toEqual(['100% _beres_', 'Lewat kunci']);
  expect(await titles({ filter: { search: '0% _b' } })).toEqual(['100% _beres_']);
  expect(await titles({ filter: { search: 'yang lain' } })).toEqual([]);
  expect(await titles({ filter: { state: 'unread' } })).toEqual(['100% _beres_']);
  expect(await titles({ filter: { state: 'unconfirmed' } })).toEqual(['100% _beres_']);
  await withdrawNotification(company.owner, 2);
  expect(await titles({ filter: { state: 'withdrawn' } })).toEqual(['Untuk satu']);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(new Date());
  expect(await titles({ filter: { from: today, to: today } })).toHaveLength(3);
  expect(await titles({ filter: { to: '2020-01-01' } })).toEqual([]);
  const page = await listSends(company.owner, { limit: 2 });
  expect(page.next).toBe(2);
  expect(await titles({ before: page.next ?? 0, limit: 2 })).toEqual(['Lewat kunci']);
  expect(await countSends(company.owner, page.next ?? 0)).toEqual({ counted: 3, more: false, newer: 2 });
});

test('a day of the list has exactly the sends of that day in the company’s time zone', async ({ company }) => {
  await company.hire();
  const times = ['2026-03-01T16:59:59Z', '2026-03-01T17:00:00Z', '2026-03-02T16:59:59Z', '2026-03-02T17:00:00Z'];
  const { companyId, accountId } = company.owner;
  await sql()`update companies set last_no = 4 where id = ${companyId}`;
  const admin = openAdmin();
  for (const [index, at] of times.entries()) {
    await sql()`insert into notifications (company_id, no, title, body, kind, reach, account_id, created_at)
      values (${companyId}, ${index + 1}, ${at}, 'Isi', 'info', 1, ${accountId}, ${at})`;
    await admin`insert into audit_log (company_id, at, actor_kind, actor_name, action, details, request_id)
      values (${companyId}, ${at}, 'account', 'x', 'notification.send', jsonb_build_object('no', ${index + 1}::int), 'x')`;
  }
  await admin.end();
  await writeManualDraft(company, { title: 'Hari ini' });
  const found = async (filter: SendFilter) =>
    (await listSends(company.owner, { filter })).sends.map(({ title }) => title);
  expect(await found({ from: '2026-03-02', to: '2026-03-02' })).toEqual([times[2], times[1]]);
  expect(await found({ to: '2026-03-02' })).toEqual([times[2], times[1], times[0]]);
  expect(await found({ from: '2026-03-02', to: '2026-03-03' })).toEqual([times[3], times[2], times[1]]);
  expect(await found({ from: '2026-03-03' })).toEqual(['Hari ini', times[3]]);
});

test('a draft is sent once, also when it is submitted again and in parallel', async ({ company, other, employee }) => {
  const twin = aDraft();
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendManually(company.owner, twin)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await sendManually(company.owner, twin)).toEqual(answers[0]);
  expect(await inboxOf(employee)).toHaveLength(1);
  const [audit] = await sql()`select count(*)::int as n from audit_log
    where company_id = ${company.owner.companyId} and action = 'notification.send'`;
  expect(audit?.n).toBe(1);
  await other.hire();
  const sent = { no: 1, reach: 1, skipped: null };
  expect(await sendManually(other.owner, twin), 'another company’s draft of the same id is its own').toEqual(sent);
});

test('a send by hand is audited under the owner’s name, and its details have the request id', async ({ company }) => {
  const employee = await company.hire('Satu');
  const no = await writeManualDraft(company, toOne(employee.employeeId));
  const found = await findSend(company.owner, no);
  expect(found).toMatchObject({ sentBy: 'Pemilik Uji', isManual: true, recipientName: 'Satu', withdrawnBy: null });
  expect(found?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await findSend((await makeCompany()).owner, no)).toBeNull();
  const [row] = await sql()`select actor_kind, actor_id, employee_id, key_id from audit_log
    where company_id = ${company.owner.companyId} and request_id = ${found?.requestId ?? ''}`;
  expect(row).toMatchObject({ actor_id: company.owner.accountId, employee_id: employee.employeeId });
});

test('a send is withdrawn once, only by its company, and stays listed', async ({ company, other, employee }) => {
  const withdrawnNo = await writeManualDraft(company);
  await markRead(employee, withdrawnNo, true);
  expect(await withdrawNotification(other.owner, withdrawnNo)).toBe('no-such-notification');
  const twice = await Promise.all([1, 2].map(() => withdrawNotification(company.owner, withdrawnNo)));
  expect(twice.sort()).toEqual(['no-such-notification', 'withdrawn']);
  expect(await markRead(employee, withdrawnNo, false)).toBe('not-in-inbox');
  expect(await findSend(company.owner, withdrawnNo)).toMatchObject({ withdrawnBy: 'Pemilik Uji', reach: 1 });
});

test('a kind, a key or a draft requires confirmation, as set when it was sent', async ({ company, employee }) => {
  const key = await keyOf(company);
  const demanded = async () => (await listInbox(employee, { limit: 1 })).items[0]?.mustConfirm;
  await sendNotification(key, { ...keyDraft, kind: 'gaji' }, 'x');
  expect(await demanded()).toBe(false);
  await setMustConfirmKinds(company.owner, ['gaji', 'absen']);
  expect(await demanded()).toBe(false);
  await sendNotification(key, { ...keyDraft, kind: 'gaji' }, 'x');
  expect(await demanded()).toBe(true);
  await sendNotification(key, keyDraft, 'x');
  expect(await demanded()).toBe(false);
  await sql()`update api_keys set must_confirm = true where company_id = ${key.companyId} and id = ${key.id}`;
  await sendNotification(key, keyDraft, 'x');
  expect(await demanded()).toBe(true);
  await writeManualDraft(company);
  expect(await demanded()).toBe(false);
  await writeManualDraft(company, { mustConfirm: true });
  expect(await demanded()).toBe(true);
});

test('a confirmation marks read, is final, and is audited once; reading does not confirm', async ({ company }) => {
  const [a, b] = [await company.hire(), await company.hire()];
  const no = await writeManualDraft(company, { mustConfirm: true });
  const plain = await writeManualDraft(company);
  await markAllRead(a, plain);
  const stateOf = async (who: Employee) => (await listInbox(who)).items.find((item) => item.no === no);
  expect(await stateOf(a)).toMatchObject({ read: true, confirmedAt: null });
  expect((await listInbox(a, { filter: { toConfirm: true } })).items.map((item) => item.no)).toEqual([no]);
  const first = await confirmAs(b, no);
  expect(await confirmAs(b, no)).toEqual(first);
  expect(await stateOf(b)).toMatchObject({ read: true, confirmedAt: expect.any(Date) });
  expect(await confirmAs(a, plain)).toBe('nothing-to-confirm');
  expect(await confirmAs(await (await makeCompany()).hire(), no)).toBe('nothing-to-confirm');
  const entries = await sql()`select employee_id, details from audit_log
    where company_id = ${company.owner.companyId} and action = 'notification.confirm'`;
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ employee_id: b.employeeId, details: { no } });
});

test('one recipient can be reminded alone; a withdrawn or confirmed send has no reminder', async ({ company }) => {
  const [a, b] = [await company.hire(), await company.hire()];
  const no = await writeManualDraft(company, { mustConfirm: true });
  const outsider = await company.hire();
  expect(await remind(company.owner, no, outsider.employeeId)).toBe('nobody-left');
  expect(await remind(company.owner, no, a.employeeId)).toMatchObject({ reach: 1 });
  expect(await inboxOf(a)).toHaveLength(2);
  expect(await inboxOf(b)).toHaveLength(1);
  const second = await writeManualDraft(company, { mustConfirm: true });
  await confirmAs(a, second);
  await confirmAs(b, second);
  await confirmAs(outsider, second);
  expect(await remind(company.owner, second, null)).toBe('nobody-left');
  await withdrawNotification(company.owner, no);
  expect(await inboxOf(a), 'its reminders are withdrawn too').toEqual([second]);
  expect(await remind(company.owner, no, null)).toBe('no-such-notification');
  expect(await confirmAs(a, no)).toBe('nothing-to-confirm');
});

test('concurrent confirmations and a reminder: its reach is exact', async ({ company }) => {
  const people = await Promise.all(Array.from({ length: 12 }, () => company.hire()));
  const no = await writeManualDraft(company, { mustConfirm: true });
  const confirming = people.slice(0, 9).map((person) => confirmAs(person, no));
  const [reminded] = await Promise.all([remind(company.owner, no, null), ...confirming]);
  const { no: reminder, reach } = reminded as { no: number; reach: number };
  const seen = await Promise.all(people.map(async (person) => (await inboxOf(person)).includes(reminder)));
  expect(seen.filter(Boolean)).toHaveLength(reach);
});

test('concurrent withdrawal and reminder: no reminder of a withdrawn send is left', async ({ company }) => {
  const [a] = [await company.hire(), await company.hire()];
  for (let round = 0; round < 10; round++) {
    const no = await writeManualDraft(company, { mustConfirm: true });
    const [, withdrawn] = await Promise.all([remind(company.owner, no, null), withdrawNotification(company.owner, no)]);
    expect(withdrawn).toBe('withdrawn');
  }
  expect((await listInbox(a)).items).toEqual([]);
});

test('a reminder that waits for another send leaves out who confirmed or left meanwhile', async ({ company }) => {
  const hire = () => company.hire('Orang', 'Kasir');
  const [confirms, leaves, returns, stays] = [await hire(), await hire(), await hire(), await hire()];
  const { companyId } = company.owner;
  const ofRole = await writeManualDraft(company, { mustConfirm: true, ...toRoles('Kasir') });
  const originals = [ofRole, await writeManualDraft(company, { mustConfirm: true })];
  await company.deactivate(returns);
  let reminding: Promise<unknown>[] = [];
  await inTransaction(async (tx) => {
    await lockCompanyRow(tx, { companyId });
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    reminding = originals.map((no) => remind(company.owner, no, null));
    const countBlocked = async () => {
      const blocked = await sql()`select from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`;
      return blocked.length;
    };
    await expect.poll(countBlocked, { timeout: 30_000 }).toBeGreaterThan(0);
    for (const no of originals) await confirmAs(confirms, no);
    await tx`update employees set active = id = ${returns.employeeId}
      where company_id = ${companyId} and id in (${leaves.employeeId}, ${returns.employeeId})`;
  });
  const reminded = await Promise.all(reminding);
  expect(reminded).toEqual([expect.objectContaining({ reach: 2 }), expect.objectContaining({ reach: 2 })]);
  const { people } = await listRecipients(company.owner, (reminded[0] as { no: number }).no);
  expect(people.map(({ id }) => id)).toEqual([returns, stays].map(({ employeeId }) => employeeId));
});

test('a send that only the last of 150 people did not read is found', async ({ company, companyId, sender }) => {
  await sql()`
    with added as (
      insert into employees (company_id, name, role, read_up_to)
      select ${companyId}, 'Orang ' || at, '', case when at < 150 then 9 else 0 end from generate_series(1, 150) at returning id
    ) insert into employment (company_id, employee_id, from_no) select ${companyId}, id, 0 from added`;
  await sql()`update companies set active_employees = 150 where id = ${companyId}`;
  await sendNotification(sender, keyDraft, 'last');
  const listUnread = async () => (await listSends(company.owner, { filter: { state: 'unread' } })).sends.length;
  expect(await listUnread()).toBe(1);
  await sql()`update employees set read_up_to = 9 where company_id = ${companyId}`;
  expect(await listUnread()).toBe(0);
});
