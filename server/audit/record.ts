import { type Database, sql, type Transaction } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';
import { auditLog } from '#db/schema.ts';
import { newRequestId } from '#server/request-id.ts';

/** Everything the audit log can say happened.  */
export const auditActions = [
  'company.create',
  'company.edit',
  'company.forget',
  'notification.send',
  'notification.withdraw',
  'notification.remind',
  'notification.confirm',
  'key.create',
  'key.replace',
  'key.edit',
  'key.revoke',
  'employee.add',
  'employee.import',
  'employee.edit',
  'employee.activate',
  'employee.deactivate',
  'employee.sign-out',
  'invitation.create',
  'invitation.accept',
  'password.change',
  'session.end',
  'alarm.dismiss',
  'export.create',
] as const;

/** One of them, `noun.verb`. */
export type AuditAction = (typeof auditActions)[number];

/** Who did it: an account, with its name at that moment, or the service itself. */
export type Actor = { companyId: number; accountId: number; name: string } | { companyId: number; kind: 'system' };

/**
 * What happened to what. `keyId` and `employeeId` make the entry findable by them. It must hold no
 * secret; its names are frozen for ever.
 */
export type AuditDetails = Record<string, unknown> & { keyId?: number; employeeId?: number };

/**
 * The statement, as a fragment of SQL, that writes to the audit log; the only one in the service.
 * `rows` is a `select` of company, actor's kind, id and name, action, details (jsonb), request id,
 * key id and employee id, in this order. For a change that is one statement with its audit entry;
 * every other change calls `recordAudit`.
 */
export const insertAudit = (rows: Fragment): Fragment => sql()`
  insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id) ${rows}`;

/**
 * Writes one entry of the audit log, in the transaction of the change itself: neither exists
 * without the other.
 */
export async function recordAudit(
  tx: Transaction | Database,
  actor: Actor,
  action: AuditAction,
  details: AuditDetails,
  requestId: string = newRequestId(),
): Promise<void> {
  if (typeof tx === 'function') return recordAudits(tx, actor, action, [details], requestId);
  if (!('accountId' in actor)) throw new Error('only accounts here');
  await tx.insert(auditLog).values({
    companyId: actor.companyId,
    actorKind: 'account',
    actorId: actor.accountId,
    actorName: actor.name,
    action,
    details,
    requestId,
    keyId: details.keyId,
    employeeId: details.employeeId,
  });
}

/**
 * Writes one entry for each of `details`, in their order, as `recordAudit` does, with one statement
 * for all.
 */
export async function recordAudits(
  tx: Transaction,
  actor: Actor,
  action: AuditAction,
  details: AuditDetails[],
  requestId: string = newRequestId(),
): Promise<void> {
  const [kind, id, name] = 'accountId' in actor ? ['account', actor.accountId, actor.name] : [actor.kind, null, ''];
  await tx`${insertAudit(sql()`
    select ${actor.companyId}, ${kind}, ${id}::int, ${name}, ${action}, entry, ${requestId},
      (entry->>'keyId')::int, (entry->>'employeeId')::int
    from jsonb_array_elements(${JSON.stringify(details)}::text::jsonb) with ordinality as e (entry, place) order by place`)}`;
}

/**
 * What an entry about changed values says: the new ones and what they were, or null when nothing
 * differs.
 */
export function findChanges<Values extends object>(
  was: Values,
  wanted: Values,
): { changes: Partial<Values>; was: Partial<Values> } | null {
  const names = (Object.keys(wanted) as (keyof Values)[]).filter((name) => was[name] !== wanted[name]);
  const pick = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values>;
  return names.length > 0 ? { changes: pick(wanted), was: pick(was) } : null;
}
