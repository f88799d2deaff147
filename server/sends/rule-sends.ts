import { sql, type Transaction } from '#db/client.ts';
import { recordAudit } from '#server/audit/record.ts';
import { nextTime } from '#server/sends/rule-times.ts';

/**
 * Plans the next send of a rule, in the transaction in which the one of `lastAt` left, was missed
 * or was skipped; `draftId` names it. A time that passed more than an hour ago is left out, so that a long outage
 * does not ask about each day. Ends the rule when it has no time any more. The rule's row is locked.
 * Returns its time, or null.
 */
export async function insertNext(
  tx: Transaction,
  companyId: number,
  ruleId: number,
  lastAt: Date | null,
  draftId: string | null = null,
): Promise<Date | null> {
  const after = sql()`greatest(${lastAt}::timestamptz, now() - case when ${lastAt}::timestamptz is null
    then interval '0' else interval '1 hour' end)`;
  const [next] = await tx<{ leavesAt: Date }[]>`
    insert into planned_sends (company_id, draft_id, account_id, recipient_id, to_roles, to_people, title, body, kind, url,
      must_confirm, is_planned, rule_id, leaves_at)
    select r.company_id, coalesce(${draftId}::uuid, gen_random_uuid()), r.account_id, r.recipient_id, r.to_roles,
      r.to_people, r.title, r.body, r.kind, r.url, r.must_confirm, true, r.id, next.at
    from send_rules r cross join lateral (select ${nextTime(after)} as at) next
    where r.company_id = ${companyId} and r.id = ${ruleId} and r.ended_at is null and next.at is not null
    returning leaves_at as "leavesAt"`;
  if (next) return next.leavesAt;
  const [ended] = await tx<{ title: string }[]>`
    update send_rules set ended_at = now()
    where company_id = ${companyId} and id = ${ruleId} and ended_at is null returning title`;
  if (ended) await recordAudit(tx, { companyId, kind: 'system' }, 'rule.end', { title: ended.title });
  return null;
}
