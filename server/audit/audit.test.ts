import { randomUUID } from 'node:crypto';
import { v4, v7 } from 'uuid';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { test } from '#e2e/support/data/test.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import type { AuditEntry, AuditFilter } from '#server/audit/list.ts';
import { findAuditEntry, findEmployeesCalled, listAudit, walkAudit } from '#server/audit/list.ts';
import type { Owner } from '#server/principals.ts';

const actions = ['notification.send', 'key.create', 'key.revoke', 'employee.edit', 'company.edit'];

// 400 entries of all kinds over ten days, some without a subject.
async function fill({ companyId }: Owner): Promise<void> {
  // The service may not choose the time of an entry.
  const admin = openAdmin();
  await admin`
    insert into audit_log (company_id, at, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id)
    select ${companyId}, timestamptz '2026-03-10 20:00+00' + n * interval '37 minutes',
      (array['key', 'account', 'system'])[1 + n % 3], 1 + n % 2, 'Uji', (${actions}::text[])[1 + n % 5],
      case when n % 5 = 0 then jsonb_build_object('reach', n % 4, 'no', n) else '{}' end, gen_random_uuid()::text,
      nullif(n % 4, 0), nullif(n % 7, 0)
    from generate_series(1, 400) n`;
  await admin.end();
}

async function readAll(owner: Owner, filter: AuditFilter, limit = 100): Promise<AuditEntry[]> {
  const seen: AuditEntry[] = [];
  for (let page = await listAudit(owner, { limit, filter }); ; ) {
    seen.push(...page.entries);
    if (page.next === null) return seen;
    page = await listAudit(owner, { before: page.next, limit, filter });
  }
}

const jakarta = (at: Date) => new Date(at.getTime() + 7 * 60 * 60 * 1000).toISOString().slice(0, 10);
const reach = ({ details }: AuditEntry) => details.reach as number | undefined;

const week = { from: '2026-03-12', to: '2026-03-18' };
const together: AuditFilter = { who: 'key', action: 'notification.send', reached: true, keyId: 1, ...week };
const isOfWeek = ({ at }: AuditEntry) => jakarta(at) >= week.from && jakarta(at) <= week.to;

const filters: [string, AuditFilter, (entry: AuditEntry) => boolean][] = [
  ['any key', { who: 'key' }, (e) => e.actorKind === 'key'],
  ['any person', { who: 'person' }, (e) => e.actorKind === 'account'],
  ['the service', { who: 'system' }, (e) => e.actorKind === 'system'],
  ['a certain key', { who: { keyId: 2 } }, (e) => e.actorKind === 'key' && e.actorId === 2 && e.keyId === 2],
  ['a certain person', { who: { accountId: 2 } }, (e) => e.actorKind === 'account' && e.actorId === 2],
  ['an action', { action: 'key.revoke' }, (e) => e.action === 'key.revoke'],
  ['sends', { action: 'notification.send' }, (e) => e.action === 'notification.send'],
  ['all changes', { action: 'change' }, (e) => e.action !== 'notification.send'],
  ['about a key', { keyId: 3 }, (e) => e.keyId === 3],
  ['about employees', { employeeIds: [2, 5] }, (e) => e.employeeId === 2 || e.employeeId === 5],
  ['about nobody', { employeeIds: [] }, () => false],
  ['reached somebody', { reached: true }, (e) => (reach(e) ?? 0) > 0],
  ['reached nobody', { reached: false }, (e) => reach(e) === 0],
  ['from a day', { from: '2026-03-14' }, (e) => jakarta(e.at) >= '2026-03-14'],
  ['to a day', { to: '2026-03-13' }, (e) => jakarta(e.at) <= '2026-03-13'],
  ['one day', { from: '2026-03-12', to: '2026-03-12' }, (e) => jakarta(e.at) === '2026-03-12'],
  ['all together', together, (e) => e.actorKind === 'key' && (reach(e) ?? 0) > 0 && e.keyId === 1 && isOfWeek(e)],
];

test('each filter finds exactly its entries of the own company, page by page', async ({ owner, other }) => {
  await Promise.all([fill(owner), fill(other.owner)]);
  const all = await readAll(owner, {});
  expect(all).toHaveLength(401);
  const foreignIds = new Set((await readAll(other.owner, {})).map(({ id }) => id));
  expect(all.some(({ id }) => foreignIds.has(id))).toBe(false);
  for (const [name, filter, passes] of filters) {
    const byTime = filter.from !== undefined || filter.to !== undefined;
    const sorted = all.filter(passes).sort((a, b) => (byTime ? b.at.getTime() - a.at.getTime() : b.id - a.id));
    const expected = sorted.map(({ id }) => id);
    for (const limit of [7, 50]) {
      const ids = (await readAll(owner, filter, limit)).map(({ id }) => id);
      expect(ids, `${name}, ${limit}`).toEqual(expected);
    }
    const walked: number[] = [];
    for await (const { id } of walkAudit(owner, filter)) walked.push(id);
    expect(walked, name).toEqual(expected);
  }
});

test('a request id, or a part of a name, finds what is of the own company', async ({ company, other, owner }) => {
  const requestId = v7();
  for (const { companyId } of [owner, other.owner])
    await sql()`insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id)
      values (${companyId}, 'system', 'x', 'company.edit', '{}', ${requestId})`;
  for (const spelled of [requestId, requestId.toUpperCase()]) {
    const { entries } = await listAudit(owner, { filter: { requestId: spelled } });
    expect(entries.map((entry) => entry.requestId)).toEqual([requestId]);
  }
  for (const unknown of [v7(), v4(), 'x', "'; drop table audit_log"])
    expect((await listAudit(owner, { filter: { requestId: unknown } })).entries).toEqual([]);
  const [theirs] = (await listAudit(other.owner, { filter: { requestId } })).entries;
  expect(await findAuditEntry(other.owner, theirs?.id ?? 0)).toMatchObject({ requestId });
  expect(await findAuditEntry(owner, theirs?.id ?? 0)).toBeNull();

  const name = `Ucok 100%_${randomUUID().slice(0, 4)}`;
  const { employeeId } = await company.hire(name);
  await company.hire('Ucok 1000');
  await other.hire(name);
  for (const words of [name.toLowerCase(), '0%_', String(employeeId)])
    expect(await findEmployeesCalled(owner, words)).toEqual([employeeId]);
  expect(await findEmployeesCalled(owner, 'ucok')).toHaveLength(2);
});
