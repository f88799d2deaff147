import { sql } from '#db/client.ts';
import type { AuditEntry } from '#server/audit/list.ts';
import type { AuditAction } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

const actions: AuditAction[] = [
  ...([
    'owner.join',
    'owner.make',
    'owner.remove',
    'owner.leave',
    'owner.link',
    'owner.renew',
    'owner.demote',
  ] as const),
  ...([
    'manager.join',
    'manager.make',
    'manager.promote',
    'manager.remove',
    'manager.leave',
    'manager.link',
    'manager.renew',
  ] as const),
];

const shownDays = 7;
const shownEntries = 3;

/**
 * The newest three changes by others in the last 7 days: to owners and managers, and links for
 * their passwords. Others are another owner, a manager who joined, or the operator.
 */
export async function listOwnerChanges({ companyId, accountId }: Owner): Promise<AuditEntry[]> {
  return sql()<AuditEntry[]>`
    select id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", action, details,
      request_id as "requestId", key_id as "keyId", employee_id as "employeeId"
    from audit_log
    where company_id = ${companyId} and action <> 'notification.send' and action = any(${actions})
      and at > now() - ${shownDays} * interval '1 day'
      and at > (select coalesce(owner_since, created_at) from accounts where company_id = ${companyId} and id = ${accountId})
      and (actor_kind <> 'account' or actor_id <> ${accountId})
    order by id desc limit ${shownEntries}`;
}
