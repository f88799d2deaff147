import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { privileges } from '#db/privileges.ts';

const codeOf = (running: Promise<unknown>) => running.then(() => 'done').catch(({ code }: { code: string }) => code);

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
