import type { OpenApiMeta } from 'trpc-to-openapi';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { deleteExpired } from '#e2e/support/data/expired.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { openAdmin } from '#e2e/support/service/admin.ts';
import { checksumOf } from '#e2e/tenancy/checksum.ts';
import { type FullCompany, makeTwoCompanies, missing, sessionOf } from '#e2e/tenancy/full-company.ts';
import { endOtherSessions } from '#server/accounts/sessions/sessions.ts';
import { router } from '#server/api/router.ts';
import { changeRetention } from '#server/companies/retention.ts';
import { setEmployeeActive, signOutEmployee } from '#server/employees/employees.ts';
import { createExport } from '#server/exports/exports.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { revokeKey } from '#server/keys/keys.ts';
import { withdrawNotification } from '#server/sends/history/withdraw.ts';

let ours: FullCompany;
let theirs: FullCompany;
let before: object;

beforeAll(async () => {
  ({ ours, theirs } = await makeTwoCompanies());
  before = await checksumOf(theirs.company.owner.companyId);
});

test('a key that names another company’s employee gets the 404 of a missing one (T1, U5)', async () => {
  for (const search of ['?aksi=ping', '?aksi=karyawan']) {
    const { status, text } = await ask(search, { headers: withKey(ours.key) });
    expect([status, text.includes(ours.marker), text.includes(theirs.marker)]).toEqual([200, true, false]);
  }
  const { employee, invited, inactive, account } = theirs.ids;
  const texts = new Set<string>();
  for (const user_id of [employee, invited, inactive, account, ours.ids.account, missing.employee]) {
    const { status, text } = await sendJson(ours.key, { ...good, user_id });
    expect([user_id, status]).toEqual([user_id, 404]);
    texts.add(text);
  }
  expect(texts.size).toBe(1);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('an Idempotency-Key of another company has no effect (T1)', async () => {
  const once = { 'Idempotency-Key': theirs.marker };
  const { status, headers } = await sendJson(ours.key, good, once);
  expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('no extra field or header selects another company or rate limit (T3)', async () => {
  const { companyId } = theirs.company.owner;
  const named = { company_id: companyId, companyId, tenant: companyId, key_id: theirs.ids.key };
  const headers = (call: number) => ({
    'X-Company-Id': String(companyId),
    'X-User-Id': String(theirs.ids.employee),
    'X-Forwarded-For': `203.0.113.${call}`,
    Cookie: theirs.owner,
  });
  const left: number[] = [];
  for (let call = 1; call <= 3; call++) {
    const answer = await sendJson(ours.key, { ...good, ...named }, headers(call));
    expect(answer.status).toBe(200);
    left.push(Number(answer.headers.get('x-ratelimit-remaining')));
  }
  expect(left.map((one) => one - (left[0] ?? 0))).toEqual([0, -1, -2]);
  expect(await checksumOf(companyId)).toEqual(before);
});

test('changes in one company leave every row of another company unchanged', async () => {
  const { owner } = ours.company;
  await revokeKey(owner, ours.ids.key);
  await signOutEmployee(owner, ours.ids.employee);
  await setEmployeeActive(owner, ours.ids.employee, false);
  await endOtherSessions(await sessionOf(ours.owner), 'others');
  await withdrawNotification(owner, ours.ids.send);
  await createExport(owner, { readme: 'Bacalah', language: 'id' });
  await changeRetention(owner, { keepNotificationsDays: 90, keepRefusalsDays: 7 });
  const admin = openAdmin();
  const old = admin`now() - interval '400 days'`;
  for (const [table, column] of [
    ['notifications', 'created_at'],
    ['refusals', 'at'],
    ['invitations', 'expires_at'],
    ['sessions', 'expires_at'],
  ])
    await admin`update ${admin(table ?? '')} set ${admin(column ?? '')} = ${old} where company_id = ${owner.companyId}`;
  await admin.end();
  await deleteExpiredRows();
  await deleteExpired();
  const [left] = await sql()`select count(*)::int as count from notifications where company_id = ${owner.companyId}`;
  expect(left?.count).toBe(0);
  expect(await checksumOf(theirs.company.owner.companyId)).toEqual(before);
});

test('the router has only the two procedures that a key may call (T8)', () => {
  const procedures = Object.entries(router._def.procedures);
  expect(procedures.map(([name, { _def }]) => [name, _def.type, (_def.meta as OpenApiMeta).openapi?.path])).toEqual([
    ['read', 'query', '/api/v1/notif.php'],
    ['send', 'mutation', '/api/v1/notif.php'],
  ]);
});
