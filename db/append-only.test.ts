import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, expect } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { ownsAuditLog, privileges } from '#db/privileges.ts';
import { giveToService } from '#db/service-role.ts';
import { test } from '#e2e/support/data/test.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { childEnv } from '#platform/config/processes.ts';
import { listAudit } from '#server/audit/list.ts';

const adminUrl = childEnv().ADMIN_DATABASE_URL ?? '';
const name = `append_only_${randomUUID().replaceAll('-', '')}`;
const scratchUrl = adminUrl.replace(/\/postgres$/, `/${name}`);
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
await admin.unsafe(`create database ${name}`);
afterAll(async () => {
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

const changes = ['delete from audit_log', 'truncate audit_log', `update audit_log set actor_name = 'x' where false`];
const codeOf = (running: Promise<unknown>) => running.then(() => 'done').catch(({ code }: { code: string }) => code);

test('the service’s role may add to the audit log but not change, delete or empty it (T17)', async ({ owner }) => {
  for (const change of changes) expect([change, await codeOf(sql().unsafe(change))]).toEqual([change, '42501']);
  expect(await codeOf(sql()`select from audit_log where company_id = ${owner.companyId} for update`)).toBe('42501');
  expect((await listAudit(owner)).entries).toHaveLength(1);
});

async function fillOld(url: string): Promise<void> {
  await migrate(url);
  const before = connect(url, 1);
  await before`insert into companies (name) values ('Lama')`;
  await before`insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id)
    values (1, 'system', 'Lama', 'company.create', '{}', 'lama')`;
  await before.end();
}

const withTime = `
  insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id, at)
  values (1, 'system', 'Palsu', 'company.edit', '{}', 'palsu', now() - interval '1 day')`;

async function expectGuarded(url: string): Promise<void> {
  const service = connect(url, 1);
  try {
    const [owned] = await service`select count(*)::int as foreign from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'migrations') and c.relkind in ('r', 'S', 'i')
        and pg_get_userbyid(c.relowner) <> 'notif_owner'`;
    expect(owned).toEqual({ foreign: 0 });
    expect(await ownsAuditLog(url)).toBe(false);
    for (const change of changes) expect([change, await codeOf(service.unsafe(change))]).toEqual([change, '42501']);
    expect(await codeOf(service.unsafe(withTime))).toBe('42501');
    await service`insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id)
      values (1, 'system', 'Baru', 'company.edit', '{}', 'baru')`;
    const entries = await service`select actor_name as name from audit_log order by id`;
    expect(entries.map((entry) => entry.name)).toEqual(['Lama', 'Baru']);
  } finally {
    await service.end();
  }
}

test('a database of a superuser is handed over once, and the trigger refuses superusers (T17)', async () => {
  await fillOld(scratchUrl);
  const before = connect(scratchUrl, 1);
  for (const change of changes) await expect(before.unsafe(change)).rejects.toThrow('append only');
  await before.end();
  const first = await giveToService(scratchUrl);
  expect(await giveToService(scratchUrl)).toBe(first);
  await migrate(first);
  await expectGuarded(first);
});

test('a database of the service’s role, as in an older trial, gets another owner (T17)', async () => {
  const older = `${name}_older`;
  await admin.unsafe(`create database ${older} owner notif_service`);
  const adminOf = new URL(`/${older}`, adminUrl).href;
  const { username, password } = new URL(databaseUrl());
  const service = Object.assign(new URL(adminOf), { username, password }).href;
  try {
    await fillOld(service);
    expect(await ownsAuditLog(service)).toBe(true);
    expect(await giveToService(adminOf)).toBe(service);
    await migrate(service);
    await expectGuarded(service);
  } finally {
    await admin.unsafe(`drop database ${older} with (force)`);
  }
});

test('the role of the service owns nothing, is in no other role and has no special rights (T17)', async () => {
  const [role] = await sql()`
    select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as "isSpecial",
      exists (select from pg_auth_members where member = r.oid) as "isMember",
      exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = r.oid and deptype = 'o') as owns
    from pg_roles r where rolname = current_user`;
  expect(role).toEqual({ isSpecial: false, isMember: false, owns: false });
});

type Allowed = { schema: string; name: string; allowed: string[] };

test('the role of the service has exactly the listed privileges on each table (T17)', async () => {
  const kinds = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'];
  const tables = await sql()<Allowed[]>`
    select n.nspname as schema, c.relname as name, array(
      select kind from unnest(${kinds}::text[]) with ordinality as k (kind, place)
      where has_table_privilege(c.oid, kind) or kind not in ('delete', 'truncate', 'trigger') and has_any_column_privilege(c.oid, kind)
      order by place
    ) as allowed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1, 2`;
  const publicTables = tables.filter((table) => table.schema === 'public').map(({ name, allowed }) => [name, allowed]);
  expect(Object.fromEntries(publicTables)).toEqual(privileges);
  const others = tables.filter((table) => table.schema !== 'public');
  expect(others).toEqual([{ schema: 'migrations', name: 'applied', allowed: ['select'] }]);
  const sequences = await sql()`
    select 1 from pg_class where case when relkind = 'S' then has_sequence_privilege(oid, 'usage, select, update') else false end`;
  expect(sequences).toHaveLength(0);
});

test.each([
  ...['alter table audit_log disable trigger audit_log_append_only', 'drop trigger audit_log_append_only on audit_log'],
  'create trigger quiet before insert on audit_log for each row execute function suppress_redundant_updates_trigger()',
  'create rule quiet as on insert to audit_log do instead nothing',
  'create or replace function refuse_audit_change() returns trigger language sql as $$ select null $$',
  ...['alter table audit_log drop column details', 'alter table audit_log owner to current_user'],
  ...['alter table audit_log enable row level security', 'drop table audit_log'],
  ...['grant update on audit_log to current_user', 'set role notif_owner', 'set session_replication_role = replica'],
  ...['do $$ begin lock table audit_log in access exclusive mode; end $$', 'create schema mine'],
  ...['create table public.mine (id int)', 'create temporary table mine (id int)', 'truncate notifications'],
  ...['delete from migrations.applied', `copy audit_log to program 'true'`, `select pg_read_file('postgresql.conf')`],
  'select passwd from pg_shadow',
])('the role of the service may not: %s (T17)', async (statement) => {
  // A grant without the right to grant is a warning without effect.
  const refused = statement.startsWith('grant') ? 'done' : '42501';
  expect(await codeOf(sql().unsafe(statement))).toBe(refused);
  const [may] = await sql()`select has_table_privilege('audit_log', 'update, delete, truncate, trigger') as change`;
  expect(may?.change).toBe(false);
});
