import { type Sql, type Transaction, withConnection } from '#db/driver/connect.ts';

const grants: Record<string, string> = {
  'select, insert': 'audit_log',
  'select, insert, delete': `
    bells export_parts notification_people push_subscriptions read_marks recovery_codes refusals`,
  'select, insert, update': `
    accounts alarms api_keys companies employees employment hourly_jobs key_usage key_uses preferences
    provider_logouts`,
  'select, insert, update, delete': `
    build_files company_logos exports failed_sign_ins identities idempotency imports invitations join_links
    join_requests key_traffic limit_counters notification_pictures notifications owner_devices passkeys planned_sends
    portals receipts refusal_counts send_rules send_statistics send_templates sessions`,
};

/** The privileges of the service's role: exactly what its statements need. Locking a row needs `update`. */
export const privileges: Record<string, string[]> = Object.fromEntries(
  Object.entries(grants).flatMap(
    ([allowed, tables]) => tables.match(/\w+/g)?.map((table) => [table, allowed.split(', ')]) ?? [],
  ),
);

// What the service writes into the audit log. The database gives an entry its id and its time.
const auditColumns = 'company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id';

const grantOf = (table: string, kind: string) =>
  table === 'audit_log' && kind === 'insert' ? `insert (${auditColumns})` : kind;

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Grants a role exactly the listed privileges. In one transaction, so running processes keep theirs. */
export async function grantPrivileges(transaction: Transaction, role: string): Promise<void> {
  const [row] = await transaction<{ name: string }[]>`select current_database() as name`;
  const [database, grantee] = [quote(row?.name ?? ''), quote(role)];
  const ofTables = Object.entries(privileges).flatMap(([table, allowed]) => [
    `revoke all on public.${quote(table)} from public, ${grantee}`,
    `grant ${allowed.map((kind) => grantOf(table, kind)).join(', ')} on public.${quote(table)} to ${grantee}`,
  ]);
  const statements = [
    `revoke create, temporary on database ${database} from public, ${grantee}`,
    `revoke create on schema public from public, ${grantee}`,
    `grant connect on database ${database} to ${grantee}`,
    `grant usage on schema public, migrations to ${grantee}`,
    `grant select on migrations.applied to ${grantee}`,
    ...ofTables,
  ];
  await transaction.unsafe(statements.join(';\n'));
}

/** The listed privileges that the role of a pool lacks on tables that exist, such as `insert on public.audit_log`. */
export async function listMissingPrivileges(sql: Sql): Promise<string[]> {
  const wanted = Object.entries(privileges).flatMap(([table, allowed]) => allowed.map((kind) => ({ table, kind })));
  const rows = await sql<{ missing: string }[]>`
    select format('%s on %s.%s', kind, nspname, relname) as missing
    from jsonb_to_recordset(${JSON.stringify([{ table: 'applied', kind: 'select' }, ...wanted])}::jsonb) w ("table" text, kind text)
    join pg_class c on relname = w."table"
    join pg_namespace n on n.oid = relnamespace and nspname = case relname when 'applied' then 'migrations' else 'public' end
    where not has_schema_privilege(n.oid, 'usage') or not case kind
      when 'delete' then has_table_privilege(c.oid, kind) else has_any_column_privilege(c.oid, kind) end
    order by missing`;
  return rows.map(({ missing }) => missing);
}

/** Whether this role owns the audit log and could remove its protection, also as a superuser. */
export async function ownsAuditLog(url: string): Promise<boolean> {
  const [row] = await withConnection(
    url,
    (sql) => sql<{ isOwner: boolean }[]>`
      select pg_has_role(relowner, 'usage') as "isOwner" from pg_class where oid = 'audit_log'::regclass`,
  );
  return row?.isOwner ?? false;
}
