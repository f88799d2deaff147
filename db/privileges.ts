import { type Transaction, withConnection } from '#db/driver/connect.ts';

type Privilege = 'select' | 'insert' | 'update' | 'delete';

/**
 * The privileges of the service's role on each table: exactly what its statements need. Locking a
 * row needs `update`. The service cannot read a table that is not listed.
 */
export const privileges: Record<string, readonly Privilege[]> = {
  accounts: ['select', 'insert', 'update'],
  alarms: ['select', 'insert', 'update'],
  api_keys: ['select', 'insert', 'update'],
  audit_log: ['select', 'insert'],
  build_files: ['select', 'insert', 'update', 'delete'],
  companies: ['select', 'insert', 'update'],
  company_logos: ['select', 'insert', 'update', 'delete'],
  employees: ['select', 'insert', 'update'],
  employment: ['select', 'insert', 'update'],
  export_parts: ['select', 'insert', 'delete'],
  exports: ['select', 'insert', 'update', 'delete'],
  hourly_jobs: ['select', 'insert', 'update'],
  identities: ['select', 'insert', 'update', 'delete'],
  idempotency: ['select', 'insert', 'update', 'delete'],
  imports: ['select', 'insert', 'update', 'delete'],
  invitations: ['select', 'insert', 'update', 'delete'],
  join_links: ['select', 'insert', 'update', 'delete'],
  join_requests: ['select', 'insert', 'update', 'delete'],
  key_traffic: ['select', 'insert', 'update', 'delete'],
  key_usage: ['select', 'insert', 'update'],
  key_uses: ['select', 'insert', 'update'],
  notification_people: ['select', 'insert', 'delete'],
  notification_pictures: ['select', 'insert', 'update', 'delete'],
  notification_roles: ['select', 'insert', 'delete'],
  notifications: ['select', 'insert', 'update', 'delete'],
  owner_devices: ['select', 'insert', 'update', 'delete'],
  passkeys: ['select', 'insert', 'update', 'delete'],
  planned_sends: ['select', 'insert', 'update', 'delete'],
  portals: ['select', 'insert', 'update', 'delete'],
  preferences: ['select', 'insert', 'update'],
  push_subscriptions: ['select', 'insert', 'delete'],
  read_marks: ['select', 'insert', 'delete'],
  receipts: ['select', 'insert', 'update', 'delete'],
  recovery_codes: ['select', 'insert', 'delete'],
  refusal_counts: ['select', 'insert', 'update', 'delete'],
  refusals: ['select', 'insert', 'delete'],
  send_rules: ['select', 'insert', 'update', 'delete'],
  send_statistics: ['select', 'insert', 'update', 'delete'],
  send_templates: ['select', 'insert', 'update', 'delete'],
  sessions: ['select', 'insert', 'update', 'delete'],
  sign_in_failures: ['select', 'insert', 'update', 'delete'],
  sign_in_guesses: ['select', 'insert', 'update', 'delete'],
};

// What the service writes into the audit log. The database gives an entry its id and its time.
const auditColumns = 'company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id';

const grantOf = (table: string, kind: Privilege) =>
  table === 'audit_log' && kind === 'insert' ? `insert (${auditColumns})` : kind;

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Grants a role exactly the listed privileges. Revokes the right to create tables from PUBLIC and
 * this role. Requires a transaction of the schema's owner, so that running processes keep their
 * privileges meanwhile.
 */
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
    `grant usage on schema public, drizzle to ${grantee}`,
    `grant select on drizzle.__drizzle_migrations to ${grantee}`,
    ...ofTables,
  ];
  await transaction.unsafe(statements.join(';\n'));
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
