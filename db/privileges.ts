import type postgres from 'postgres';
import { connect } from '#db/driver/connect.ts';

/** A transaction under way. */
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

/** What a role can be allowed in a table. */
type Privilege = 'select' | 'insert' | 'update' | 'delete';

/**
 * What the service's role may do in each table: what its statements need and nothing more (to lock a row is to update it). A table
 * that has no row here cannot be read by the service.
 */
export const privileges: Record<string, readonly Privilege[]> = {
  accounts: ['select', 'insert', 'update'],
  alarms: ['select', 'insert', 'update'],
  api_keys: ['select', 'insert', 'update'],
  audit_log: ['select', 'insert'],
  companies: ['select', 'insert', 'update'],
  employees: ['select', 'insert', 'update'],
  employment: ['select', 'insert', 'update'],
  export_parts: ['select', 'insert', 'delete'],
  exports: ['select', 'insert', 'update', 'delete'],
  idempotency: ['select', 'insert', 'update', 'delete'],
  imports: ['select', 'insert', 'update', 'delete'],
  invitations: ['select', 'insert', 'update', 'delete'],
  key_traffic: ['select', 'insert', 'update', 'delete'],
  key_usage: ['select', 'insert', 'update'],
  key_uses: ['select', 'insert', 'update'],
  notifications: ['select', 'insert', 'update', 'delete'],
  portals: ['select', 'insert', 'update', 'delete'],
  preferences: ['select', 'insert', 'update'],
  push_subscriptions: ['select', 'insert', 'delete'],
  read_marks: ['select', 'insert', 'delete'],
  receipts: ['select', 'insert', 'update', 'delete'],
  refusals: ['select', 'insert', 'delete'],
  sessions: ['select', 'insert', 'update', 'delete'],
  sign_in_failures: ['select', 'insert', 'update', 'delete'],
};

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Gives a role exactly these privileges, and takes from everybody else what PostgreSQL gives everybody: making tables and temporary
 * tables. Run in a transaction of the schema's owner: what serves meanwhile misses nothing.
 */
export async function grantTo(transaction: Transaction, role: string): Promise<void> {
  const [row] = await transaction<{ name: string }[]>`select current_database() as name`;
  const [database, grantee] = [quote(row?.name ?? ''), quote(role)];
  const ofTables = Object.entries(privileges).flatMap(([table, allowed]) => [
    `revoke all on public.${quote(table)} from public, ${grantee}`,
    `grant ${allowed.join(', ')} on public.${quote(table)} to ${grantee}`,
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

/** Whether the role of this connection string owns the audit log, by itself or as a superuser, and could do away with what guards it. */
export async function mayChangeSchema(url: string): Promise<boolean> {
  const sql = connect(url, 1);
  try {
    const [row] = await sql<{ may: boolean }[]>`
      select pg_has_role(relowner, 'usage') as may from pg_class where oid = 'audit_log'::regclass`;
    return row?.may ?? false;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
