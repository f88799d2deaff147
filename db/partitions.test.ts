import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disconnect, sql } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { detachAudit, joinPartitions, partitionTables } from '#db/partitions.ts';
import { privileges } from '#db/privileges.ts';
import { giveToService } from '#db/service-role.ts';
import { withMigrations } from '#e2e/server/earlier-schemas.ts';
import { type Company, makeCompany } from '#harness/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { changeRetention } from '#server/companies/retention.ts';
import { adopt, childEnv } from '#server/env.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { markAllRead, markRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { sweepTable } from '#server/jobs/batches.ts';
import { deleteExpiredRows } from '#server/jobs/expired-rows.ts';
import { fingerprintOf } from '#server/keys/keys.ts';
import type { Employee } from '#server/principals.ts';
import { countAndSend } from '#server/sends/count-and-send.ts';
import { findSend } from '#server/sends/details.ts';
import { listSends } from '#server/sends/list.ts';

// A database of its own: these tests change its tables.
const name = `partitions_${randomUUID().replaceAll('-', '')}`;
const { ADMIN_DATABASE_URL = '' } = childEnv();
const server = postgres(ADMIN_DATABASE_URL, { max: 1, onnotice: () => {} });
const adminUrl = ADMIN_DATABASE_URL.replace(/\/postgres$/, `/${name}`);
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
let url = '';

let company: Company;
let other: Company;
let employee: Employee;
let key: string;

const draft = { recipientId: 0, title: 'Rapat', body: 'Pukul sepuluh.', kind: 'info', url: null } as const;
const once = (idempotencyKey: string) => ({ idempotencyKey, bodyHash: Buffer.alloc(32) });
const send = async (recipientId = 0, idempotencyKey?: string) => {
  const sent = { ...draft, recipientId };
  const counted = await countAndSend(
    fingerprintOf(key),
    sent,
    randomUUID(),
    idempotencyKey ? once(idempotencyKey) : undefined,
  );
  return counted?.outcome;
};

beforeAll(async () => {
  await server.unsafe(`create database ${name}`);
  url = await giveToService(adminUrl);
  await migrate(url);
  adopt({ databaseUrl: url, authSecret: randomUUID(), appUrl: 'http://127.0.0.1' });
  [company, other] = [await makeCompany(), await makeCompany()];
  [employee, key] = [await company.hire(), await company.newKey()];
  await other.hire();
  for (let sent = 0; sent < 5; sent++) await send(sent % 2 === 0 ? 0 : employee.employeeId);
  await send(0, 'sekali');
  await markRead(employee, 2, true);
  await markAllRead(employee, 3);
});

afterAll(async () => {
  await disconnect(1);
  await admin.end();
  await server.unsafe(`drop database ${name} with (force)`);
  await server.end();
});

const tables = ['audit_log', 'notifications', 'receipts'];

const readRows = () =>
  Promise.all(tables.map((table) => admin.unsafe(`select row_to_json(t)::text from ${table} t order by 1`)));

// Keys, checks, foreign keys, indexes and triggers as PostgreSQL writes them, of these tables and of
// those that refer to them.
const readDefinitions = async () => {
  const constraints = await admin`
    select conrelid::regclass::text as "table", conname as name, replace(pg_get_constraintdef(oid), ' NOT VALID', '') as text from pg_constraint
    where conparentid = 0 and connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text !~ '_[0-9]+$|_beyond$'
    order by 1, 2`;
  const indexes = await admin`
    select replace(replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), 'public.', '') as text from pg_index
    where indrelid::regclass::text = any(${tables}) order by 1`;
  const triggers = await admin`
    select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid::regclass::text = any(${tables}) and not tgisinternal`;
  const sequences = await admin`select sequencename as name, last_value::text as value from pg_sequences order by 1`;
  return { constraints: [...constraints], indexes: [...indexes], triggers: [...triggers], sequences: [...sequences] };
};

const kindsOf = async () => {
  const rows = await admin<{ kind: string }[]>`
    select relkind as kind from pg_class where relname = any(${tables}) order by relname`;
  return rows.map(({ kind }) => kind).join('');
};

const codeOf = (running: PromiseLike<unknown>) =>
  running.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );

// The work of a company: numbers go on, what was sent is read, and each promise of a send holds.
async function expectService(): Promise<void> {
  const [before] = await admin<
    { no: number }[]
  >`select last_no::int as no from companies where id = ${employee.companyId}`;
  const last = before?.no ?? 0;
  const unread = (await countUnread(employee)).count;
  const repeated = randomUUID();
  expect(await send(0, repeated)).toEqual({ reach: 1, replayed: false });
  expect(await send(0, repeated)).toEqual({ reach: 1, replayed: true });
  expect(await send(employee.employeeId)).toEqual({ reach: 1, replayed: false });
  expect((await listInboxSince(employee, last)).map(({ no }) => no)).toEqual([last + 1, last + 2]);
  expect((await countUnread(employee)).count).toBe(unread + 2);
  await markRead(employee, last + 1, true);
  expect((await countUnread(employee)).count).toBe(unread + 1);
  expect((await listInbox(employee)).items.slice(0, 2).map(({ no, read }) => [no, read])).toEqual([
    [last + 2, false],
    [last + 1, true],
  ]);
  expect((await listSends(company.owner)).sends[0]?.no).toBe(last + 2);
  expect(await findSend(company.owner, last + 2)).toMatchObject({ title: draft.title });
  expect((await listAudit(company.owner)).entries.map(({ action }) => action).slice(0, 2)).toEqual([
    'notification.send',
    'notification.send',
  ]);
  // A receipt of a notification of another company is refused by the foreign key.
  const foreign = admin`insert into receipts (company_id, employee_id, no) values (${other.owner.companyId}, ${employee.employeeId}, 1)`;
  expect(await codeOf(foreign)).toBe('23503');
  for (const change of ['delete from audit_log', 'truncate audit_log'])
    expect([change, await codeOf(sql().unsafe(change))]).toEqual([change, '42501']);
  await expect(admin`delete from audit_log`).rejects.toThrow('append only');
}

test('a database with data is partitioned: same rows, same keys, same rights, and the service works', async () => {
  const [rows, definitions] = [await readRows(), await readDefinitions()];
  expect(await kindsOf()).toBe('rrr');
  expect(await partitionTables(url, {}, { companies: 4, entries: 1000 })).toEqual(tables);
  expect(await kindsOf()).toBe('ppp');
  expect(await readRows()).toEqual(rows);
  expect(await readDefinitions()).toEqual(definitions);
  await expectService();
  // The service reads no partition by itself, and nobody empties one of the audit log.
  expect(await codeOf(sql()`select 1 from audit_log_0`)).toBe('42501');
  await expect(admin`delete from audit_log_0`).rejects.toThrow('append only');
  await expect(admin`delete from audit_log_beyond`).rejects.toThrow('append only');
  const [granted] = await admin<{ all: string[] }[]>`
    select array_agg(p.relname || ':' || k order by 1) as all from pg_class p, unnest(array['select','insert','update','delete']) k
    where p.relname = any(${tables}) and has_table_privilege('notif_service', p.oid, k)`;
  const wanted = tables.flatMap((table) => (privileges[table] ?? []).map((privilege) => `${table}:${privilege}`));
  expect(granted?.all.toSorted()).toEqual(wanted.toSorted());
});

test('a statement about one company reads one partition of notifications and of receipts', async () => {
  const [row] = await admin<{ 'QUERY PLAN': unknown }[]>`
    explain (format json) select 1 from receipts r join notifications n on n.company_id = r.company_id and n.no = r.no
    where r.company_id = ${employee.companyId}`;
  const read = JSON.stringify(row).match(/(receipts|notifications)_of_\d+(?=")/g);
  expect(new Set(read).size).toBe(2);
});

test('the hourly job deletes old notifications of a partitioned database with their receipts', async () => {
  const { companyId } = employee;
  await admin`update notifications set created_at = now() - interval '100 days' where company_id = ${companyId} and no <= 3`;
  await changeRetention(company.owner, { keepNotificationsDays: 90, keepRefusalsDays: 30 });
  await deleteExpiredRows();
  const left = await admin<
    { no: number }[]
  >`select min(no)::int as no from notifications where company_id = ${companyId}`;
  expect(left[0]?.no).toBe(4);
  expect(await admin`select 1 from receipts where company_id = ${companyId} and no <= 3`).toHaveLength(0);
});

test('a later migration changes partitioned tables like others', async () => {
  const further = {
    '9000_later': `alter table "receipts" add column "later" integer;--> statement-breakpoint
create index "receipts_later" on "receipts" ("company_id", "later");--> statement-breakpoint
alter table "receipts" drop column "later";`,
  };
  await withMigrations(1000, further, async (folder) => {
    expect(await migrate(url, { folder })).toEqual(['9000_later']);
  });
});

test('entries beyond the last range are stored, and a further run adds ranges', async () => {
  const ranges = () => admin`select 1 from pg_inherits where inhparent = 'audit_log'::regclass`;
  const before = (await ranges()).length;
  expect(await partitionTables(url)).toEqual([]);
  expect(await ranges()).toHaveLength(before);
  await admin`select setval('audit_log_id_seq', 2500)`;
  await send();
  expect(await partitionTables(url)).toEqual([]);
  expect(await ranges()).toHaveLength(before + 2);
  await admin`select setval('audit_log_id_seq', 99000)`;
  await send();
  expect(await admin`select 1 from audit_log_beyond`).toHaveLength(1);
  const rows = await readRows();
  expect(await partitionTables(url)).toEqual([]);
  expect(await admin`select 1 from audit_log_beyond`).toHaveLength(0);
  expect(await readRows()).toEqual(rows);
  await expect(admin`delete from audit_log_beyond`).rejects.toThrow('append only');
});

test('old ranges of the audit log are detached only where no notification needs them', async () => {
  const tomorrow = new Date(Date.now() + 24 * 3600 * 1000);
  expect(await detachAudit(url, tomorrow)).toEqual([]);
  await admin`set session_replication_role = replica`;
  await admin`update audit_log set at = at - interval '200 days' where id < 1000`;
  await admin`reset session_replication_role`;
  expect(await detachAudit(url, new Date(Date.now() - 300 * 24 * 3600 * 1000))).toEqual([]);
  await admin`update notifications set created_at = now() - interval '201 days' where no = 4`;
  expect(await detachAudit(url, tomorrow)).toEqual([]);
  await admin`update notifications set created_at = now() where no = 4`;
  const detached = await detachAudit(url, new Date(Date.now() - 100 * 24 * 3600 * 1000));
  expect(detached.map(({ table }) => table)).toEqual(['audit_log_0']);
  expect(await admin`select 1 from audit_log where id < 1000`).toHaveLength(0);
  expect(await admin`select 1 from audit_log_0`).toHaveLength(detached[0]?.entries ?? 0);
  await expectService();
});

test('the way back stores the tables in one piece again, with the same rows and keys', async () => {
  const [rows, definitions] = [await readRows(), await readDefinitions()];
  expect(await joinPartitions(url)).toEqual(tables);
  expect(await kindsOf()).toBe('rrr');
  expect(await readRows()).toEqual(rows);
  expect(await readDefinitions()).toEqual(definitions);
  const [settings] = await admin`select reloptions from pg_class where relname = 'receipts'`;
  expect(settings?.reloptions).toContain('autovacuum_vacuum_insert_scale_factor=0.005');
  await expectService();
  // And forth again, beside the range that was detached.
  expect(await partitionTables(url, {}, { companies: 2, entries: 1000 })).toEqual(tables);
  expect(await admin`select 1 from audit_log_0`).not.toHaveLength(0);
  await expectService();
});

test('rows of a partitioned table expire as those of others do', async () => {
  await admin.unsafe(`
    alter table idempotency rename to idempotency_whole;
    create table idempotency (like idempotency_whole including defaults) partition by hash (company_id);
    create table idempotency_even partition of idempotency for values with (modulus 2, remainder 0);
    create table idempotency_odd partition of idempotency for values with (modulus 2, remainder 1);
    insert into idempotency select company, 1, age::text, '\\x00', 1, now() - age * interval '1 hour'
      from generate_series(1, 40) company, generate_series(20, 30) age;
    grant select, delete on idempotency to notif_service`);
  await sweepTable('idempotency', () => sql()`old.created_at < now() - interval '25 hours'`);
  const left = await admin`
    select idempotency_key::int as age, count(*)::int as companies from idempotency group by 1 order by 1`;
  expect(left.map(({ age, companies }) => [age, companies])).toEqual([20, 21, 22, 23, 24].map((age) => [age, 40]));
});
