import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { expireKey, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { keyDraft, toOne } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { authenticateAndCountKey } from '#server/keys/count.ts';
import { authenticateKey, fingerprintOf, generateKey, listKeys, revokeKey } from '#server/keys/keys.ts';
import { countAndSend, type KeyDraft, sendNotification } from '#server/sends/by-key.ts';

const draft: KeyDraft = { ...keyDraft, title: 'Bersama' };

const send = (key: string, changes: Partial<KeyDraft> = {}, idempotencyKey?: string) => {
  const once = idempotencyKey ? { idempotencyKey, bodyHash: Buffer.alloc(32, changes.title ?? 'a') } : undefined;
  return countAndSend(fingerprintOf(key), { ...draft, ...changes }, randomUUID(), once);
};

const outcomesOf = async (sends: ReturnType<typeof send>[]) =>
  (await Promise.all(sends)).map((counted) => counted?.outcome ?? null);

const listStored = async ({ owner: { companyId } }: Company) =>
  sql()<{ no: number; title: string; reach: number; audited: number }[]>`
    select no, title, reach, (
      select count(*)::int from audit_log a where a.company_id = n.company_id and a.details->>'no' = n.no::text
        and a.action = 'notification.send' and a.details->>'reach' = n.reach::text) as audited
    from notifications n where company_id = ${companyId} order by no`;

const sent = (reach: number) => ({ reach, replayed: false });

test('requests of one statement each have their own outcome (X24)', async ({ company, other }) => {
  const [key, otherKey] = [await company.newKey(), await other.newKey()];
  const [active, inactive, foreign] = [await company.hire(), await company.hire(), await other.hire()];
  await company.deactivate(inactive);
  const outcomes = await outcomesOf([
    send(key, { title: 'semua' }),
    send(key, { title: 'satu', ...toOne(active.employeeId) }),
    send(generateKey()),
    send(key, toOne(foreign.employeeId)),
    send(key, { title: 'tidak aktif', ...toOne(inactive.employeeId) }),
    send(key, toOne(2 ** 40)),
    send(otherKey, { title: 'lain', ...toOne(foreign.employeeId) }),
    send(key, { recipients: { to: 'one', employeeId: -active.employeeId } }),
  ]);
  const refused = 'not-in-company';
  expect(outcomes).toEqual([sent(1), sent(1), null, refused, sent(0), refused, sent(1), refused]);
  expect(await listStored(company)).toEqual([
    { no: 1, title: 'semua', reach: 1, audited: 1 },
    { no: 2, title: 'satu', reach: 1, audited: 1 },
    { no: 3, title: 'tidak aktif', reach: 0, audited: 1 },
  ]);
  expect(await listStored(other)).toEqual([{ no: 1, title: 'lain', reach: 1, audited: 1 }]);
});

test('an expired key in a statement with valid ones sends and counts nothing', async ({ company }) => {
  const [key, expired, later] = [await company.newKey(), await company.newKey(), await company.newKey()];
  const { id } = await principalOf(expired);
  await expireKey(expired);
  await expireKey(later, 3600);
  const outcomes = await outcomesOf([
    send(key, { title: 'berlaku' }),
    send(expired, { title: 'berakhir' }),
    send(later, { title: 'masih' }),
    send(expired, { title: 'berakhir' }, 'sekali'),
    send(generateKey()),
  ]);
  expect(outcomes).toEqual([sent(0), null, sent(0), null, null]);
  expect((await listStored(company)).map(({ title }) => title).toSorted()).toEqual(['berlaku', 'masih']);
  const used = await sql()`select from key_usage where company_id = ${company.owner.companyId} and key_id = ${id}`;
  expect(used).toEqual([]);
});

test('an expired key is refused in each of two steps, and valid once its end is later', async ({ company, key }) => {
  const principal = await principalOf(key);
  const fingerprint = fingerprintOf(key);
  const sendAlone = () => sendNotification(principal, draft, randomUUID());
  await expireKey(key);
  expect([await authenticateAndCountKey(fingerprint), await authenticateKey(fingerprint)]).toEqual([null, null]);
  expect(await sendAlone()).toBe('revoked');
  expect(await listStored(company)).toEqual([]);
  await expireKey(key, 3600);
  expect(await authenticateAndCountKey(fingerprint)).toMatchObject({ used: 1 });
  expect(await sendAlone()).toEqual(sent(0));
});

test('requests with one idempotency key in one turn send once (X24)', async ({ company }) => {
  const [key, second] = [await company.newKey(), await company.newKey()];
  const outcomes = await outcomesOf([
    send(key, { title: 'a' }, 'satu'),
    send(key, { title: 'a' }, 'satu'),
    send(key, { title: 'b' }, 'satu'),
    send(second, { title: 'a' }, 'satu'),
    send(key, { title: 'a' }, 'dua'),
  ]);
  expect(outcomes).toEqual([sent(0), { reach: 0, replayed: true }, 'reused', sent(0), sent(0)]);
  expect((await listStored(company)).map(({ title }) => title)).toEqual(['a', 'a', 'a']);
});

test('of 70 requests of a key in one turn 60 are sent, and each learns its place (X24)', async ({ company, key }) => {
  const counted = await Promise.all(Array.from({ length: 70 }, () => send(key)));
  expect(counted.map((one) => one?.used)).toEqual(Array.from({ length: 70 }, (_, at) => Math.min(at + 1, 61)));
  expect(counted.filter((one) => one?.outcome === 'over-limit')).toHaveLength(10);
  expect(await listStored(company)).toHaveLength(60);
  expect((await send(key))?.outcome).toBe('over-limit');
});

test('a thousand sends in one turn to one company take the numbers 1 to 1,000 (X24)', async ({ company }) => {
  const keys: string[] = [];
  for (let made = 0; made < 20; made++) keys.push(await company.newKey());
  const outcomes = await outcomesOf(Array.from({ length: 1000 }, (_, at) => send(keys[at % 20] ?? '')));
  expect(outcomes.filter((outcome) => outcome === null || typeof outcome === 'string')).toEqual([]);
  const stored = await listStored(company);
  expect(stored.map(({ no }) => no)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
  expect(new Set(stored.map(({ audited }) => audited))).toEqual(new Set([1]));
});

test('a replay and an unknown recipient do not wait for the company’s row (X24)', async ({ company, key }) => {
  expect(await outcomesOf([send(key, {}, 'satu')])).toEqual([sent(0)]);
  const admin = openAdmin();
  await admin.begin(async (locked) => {
    await locked`select from companies where id = ${company.owner.companyId} for update`;
    const outcomes = await outcomesOf([send(key, {}, 'satu'), send(key, { title: 'b' }, 'satu'), send(key, toOne(1))]);
    expect(outcomes).toEqual([{ reach: 0, replayed: true }, 'reused', 'not-in-company']);
  });
  await admin.end();
});

test('a company whose row is locked waits alone; its neighbours are sent (X24)', async () => {
  const [company, ...others] = [await makeCompany(), await makeCompany(), await makeCompany()];
  const [key = '', ...otherKeys] = await Promise.all([company, ...others].map((one) => one.newKey()));
  const admin = openAdmin();
  let waiting: Promise<unknown> | undefined;
  await admin.begin(async (locked) => {
    await locked`select from companies where id = ${company.owner.companyId} for update`;
    waiting = outcomesOf([send(key)]);
    expect(await outcomesOf(otherKeys.map((one) => send(one)))).toEqual([sent(0), sent(0)]);
    expect(await listStored(company)).toEqual([]);
    // One transaction wrote both: the statement skipped the locked company and did not fail.
    const ids = others.map(({ owner }) => owner.companyId);
    const transactions = await sql()`
      select distinct xmin::text from notifications where company_id = any(${ids}::int[])`;
    expect(transactions).toHaveLength(1);
  });
  expect(await waiting).toEqual([sent(0)]);
  await admin.end();
});

test('a request that makes the statement fail fails alone (X24)', async ({ company }) => {
  const [key, other] = [await company.newKey(), await company.newKey()];
  const tooLong = 'x'.repeat(121);
  const results = await Promise.allSettled([send(key), send(other, { title: tooLong }), send(key), send(other)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect((await listStored(company)).map(({ title }) => title)).toEqual(['Bersama', 'Bersama', 'Bersama']);
});

test('a connection that is killed in a statement leaves nothing of it behind (X24)', async ({ company, companyId }) => {
  const keys = await Promise.all([1, 2, 3].map(() => company.newKey()));
  expect(await outcomesOf(keys.map((key) => send(key)))).toEqual([sent(0), sent(0), sent(0)]);
  const [admin, killer] = [openAdmin(), openAdmin()];
  await admin.begin(async (locked) => {
    await locked`select from key_usage where company_id = ${companyId} for update`;
    const sends = Promise.allSettled(keys.map((key) => send(key)));
    const [holder] = await locked<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const kill = () => killer`
      select pg_terminate_backend(pid) from pg_stat_activity where ${holder?.pid ?? 0} = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => (await kill()).length).toBeGreaterThan(0);
    expect((await sends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
  expect(await listStored(company)).toHaveLength(3);
  await Promise.all([admin.end(), killer.end()]);
});

test('after a key was revoked or an employee deactivated, nothing of it is sent (T7, X24)', async ({ company }) => {
  const target = await company.hire();
  for (let round = 0; round < 8; round++) {
    const key = await company.newKey(`putaran ${round}`);
    const sends = Array.from({ length: 40 }, (_, at) => send(key, at % 2 ? toOne(target.employeeId) : {}));
    const [{ id } = { id: 0 }] = await listKeys(company.owner);
    await (round % 2 ? revokeKey(company.owner, id) : company.deactivate(target));
    const countReached = async () => (await listStored(company)).reduce((sum, { reach }) => sum + reach, 0);
    const count = async () => (round % 2 ? (await listStored(company)).length : countReached());
    const before = await count();
    await Promise.all(sends);
    expect(await count()).toBe(before);
    if (round % 2 === 0) await company.activate(target);
  }
});

test('sends that waited for one company do not deadlock (X24)', async ({ company, companyId }) => {
  const keys = await Promise.all([1, 2, 3].map(async () => principalOf(await company.newKey())));
  const [sharer, changer] = [openAdmin(), openAdmin()];
  // A foreign key's lock, as of any insert, which outlives the change that the sends wait for.
  await sharer.begin(async (shared) => {
    await shared`select from companies where id = ${companyId} for key share`;
    for (let round = 1; round <= 5; round++) {
      const waiting = await changer.begin(async (changed) => {
        await changed`update companies set last_no = last_no where id = ${companyId}`;
        const sends = Promise.allSettled(keys.map((key) => sendNotification(key, draft, randomUUID())));
        const blocked = async () => {
          const [row] = await shared<{ count: number }[]>`
            select count(*)::int from pg_locks l where not granted and l.pid <> pg_backend_pid()`;
          return row?.count;
        };
        await expect.poll(blocked).toBeGreaterThanOrEqual(3);
        return { sends };
      });
      expect(await waiting.sends).toEqual(keys.map(() => ({ status: 'fulfilled', value: sent(0) })));
    }
  });
  await Promise.all([sharer.end(), changer.end()]);
});
