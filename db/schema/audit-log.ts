import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import { companyId, timestampTz } from '#db/schema/columns.ts';

/**
 * The audit log: one entry for each change, append only (a trigger refuses update, delete and
 * truncate). `keyId` and `employeeId` make an entry findable by its subject; its content is in
 * `details`.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    companyId: companyId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: timestampTz().notNull().defaultNow(),
    actorKind: text().notNull(),
    actorId: integer(),
    actorName: varchar({ length: 120 }).notNull(),
    action: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    requestId: text().notNull(),
    keyId: integer(),
    employeeId: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('audit_log_at').on(table.companyId, table.at),
    index('audit_log_key').on(table.companyId, table.keyId, table.id).where(sql`${table.keyId} is not null`),
    index('audit_log_employee')
      .on(table.companyId, table.employeeId, table.id)
      .where(sql`${table.employeeId} is not null`),
    index('audit_log_actions')
      .on(table.companyId, table.action, table.id)
      .where(sql`${table.action} <> 'notification.send'`),
    index('audit_log_unreached').on(table.companyId, table.id).where(sql`${table.details}->>'reach' = '0'`),
    index('audit_log_changes').on(table.companyId, table.id).where(sql`${table.action} <> 'notification.send'`),
    check('audit_log_actor_kind', sql`${table.actorKind} in ('key', 'account', 'system', 'operator')`),
  ],
);
