import { inTransaction, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import { areInCompany, asDetails, type DraftContent, draftColumns, draftValues } from '#server/sends/manual/drafts.ts';
import { sendOne } from '#server/sends/planned/due-sends.ts';
import {
  findWaiting,
  type TimeProblem,
  timeProblem,
  timestampOf,
  type WaitingSend,
} from '#server/sends/planned/planned-sends.ts';
import { insertNext } from '#server/sends/planned/rule-sends.ts';

/** What a planned send was before a change. */
type Was = Pick<Rows['plannedSends'], 'title' | 'leavesAt' | 'ruleId'> & { missed: boolean };

/**
 * Changes text, recipients and time of a planned send, or plans a missed one again. The manager
 * becomes its sender. A send that a rule made changes with its rule, not here. Returns `'gone'`
 * when it left, was cancelled or never was.
 */
export async function changePlanned(
  manager: Manager,
  draftId: string,
  content: DraftContent,
  at: string,
): Promise<'changed' | 'gone' | TimeProblem | 'not-in-company'> {
  const { companyId, accountId } = manager;
  return inTransaction(async (tx) => {
    const was = await lockPlanned(tx, manager, draftId);
    if (!was || (was.ruleId !== null && !was.missed)) return 'gone';
    const [asked] = await tx<{ problem: TimeProblem | null }[]>`select ${timeProblem(manager, at)} as problem`;
    if (asked?.problem) return asked.problem;
    if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
    const [changed] = await tx<{ leavesAt: Date }[]>`
      update planned_sends
      set account_id = ${accountId}, (${draftColumns()}) = row(${draftValues(content)}), leaves_at = ${timestampOf(manager, at)},
        missed_at = null, missed_before = 0, rule_id = null
      where company_id = ${companyId} and draft_id = ${draftId}::uuid
      returning leaves_at as "leavesAt"`;
    await recordAudit(tx, manager, 'plan.edit', {
      ...asDetails(content, changed?.leavesAt),
      was: { title: was.title, leavesAt: was.leavesAt.toISOString() },
    });
    return 'changed';
  });
}

/**
 * Cancels a planned send, or discards a missed one. Of a rule's send, only this one is skipped: the
 * rule goes on. A send that is just leaving wins. Returns `'gone'` when there is nothing to cancel.
 */
export async function cancelPlanned(manager: Manager, draftId: string): Promise<'cancelled' | 'gone'> {
  const { companyId } = manager;
  return inTransaction(async (tx) => {
    const was = await lockPlanned(tx, manager, draftId);
    if (!was) return 'gone';
    await tx`update planned_sends set undone_at = now() where company_id = ${companyId} and draft_id = ${draftId}::uuid`;
    const isSkip = was.ruleId !== null && !was.missed;
    const details = { title: was.title, leavesAt: was.leavesAt.toISOString() };
    await recordAudit(tx, manager, isSkip ? 'rule.skip' : 'plan.cancel', details);
    if (isSkip && was.ruleId !== null) await insertNext(tx, companyId, was.ruleId, was.leavesAt);
    return 'cancelled';
  });
}

/** Discards all missed sends of a rule, which goes on. Returns how many of them were listed. */
export async function discardMissed(manager: Manager, ruleId: number): Promise<number> {
  const { companyId } = manager;
  return inTransaction(async (tx) => {
    await tx`select from send_rules where company_id = ${companyId} and id = ${ruleId} for update`;
    const discarded = await tx<Pick<Rows['plannedSends'], 'title' | 'leavesAt'>[]>`
      update planned_sends set undone_at = now()
      where company_id = ${companyId} and rule_id = ${ruleId} and missed_at is not null and undone_at is null
      returning title, leaves_at as "leavesAt"`;
    const entries = discarded.map(({ title, leavesAt }) => ({ title, leavesAt: leavesAt.toISOString() }));
    if (entries.length > 0) await recordAudits(tx, manager, 'plan.cancel', entries);
    return entries.length;
  });
}

/**
 * Sends a planned or missed send at once, with the manager as its sender. Its rule goes on with the
 * time after it. Returns what became of it; the reconciliation sends it when this process cannot.
 */
export async function sendPlannedNow(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  const { companyId, accountId } = manager;
  const isFreed = await inTransaction(async (tx) => {
    const was = await lockPlanned(tx, manager, draftId);
    if (!was) return false;
    await tx`
      update planned_sends set leaves_at = now(), missed_at = null, rule_id = null, account_id = ${accountId}
      where company_id = ${companyId} and draft_id = ${draftId}::uuid`;
    await recordAudit(tx, manager, 'plan.send', { title: was.title, leavesAt: was.leavesAt.toISOString() });
    if (was.ruleId !== null && !was.missed) await insertNext(tx, companyId, was.ruleId, was.leavesAt);
    return true;
  });
  if (isFreed) await sendOne({ companyId, draftId, ruleId: null }).catch(() => false);
  return findWaiting(manager, draftId);
}

// The rule's row first, as in `sendOne`.
async function lockPlanned(tx: Transaction, { companyId }: Manager, draftId: string): Promise<Was | null> {
  const one = sql()`draft_id = ${draftId}::uuid and is_planned and undone_at is null`;
  await tx`
    select from send_rules where company_id = ${companyId} and id = (
      select rule_id from planned_sends where company_id = ${companyId} and ${one})
    for update`;
  const [was] = await tx<Was[]>`
    select title, leaves_at as "leavesAt", rule_id as "ruleId", missed_at is not null as missed
    from planned_sends where company_id = ${companyId} and ${one} for update`;
  return was ?? null;
}
