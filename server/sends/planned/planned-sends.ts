import { type Fragment, findRow, sql } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { employeeIdOf } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import {
  areInCompany,
  asDetails,
  type DraftContent,
  draftColumns,
  draftValues,
  type ManualDraft,
  selectDraft,
} from '#server/sends/manual/drafts.ts';
import { findReminder, listUnconfirmed, type NotReminded } from '#server/sends/manual/remind.ts';
import { attachPicture } from '#server/sends/pictures/pictures.ts';
import { sendDueInTurn, sendOne } from '#server/sends/planned/due-sends.ts';
import { insertNext } from '#server/sends/planned/rule-sends.ts';

/** How long a send to several people waits, so that its sender can undo it, in milliseconds. */
export const undoMs = 10_000;

/** How many sends of a company may be planned at a time, those of rules not counted. */
export const maxPlanned = 300;

/** What became of a draft: it waits, left as notification `no`, was undone, or was missed. */
export type WaitingSend =
  | { state: 'held'; leavesInMs: number }
  | { state: 'planned'; leavesAt: Date }
  | { state: 'sent'; no: number; reach: number }
  | { state: 'undone' }
  | { state: 'missed' };

/** Why a time for a send is rejected: it is not in the future, or more than a year ahead. */
type TimeProblem = 'past' | 'too-far';

/** A send or reminder that can be undone, or what became of it. */
export type HeldSend = WaitingSend & { draftId: string; title: string; isReminder: boolean };

/**
 * Stores a send that leaves after `undoMs`, whatever becomes of this process and of the page. A
 * second submit of the same `draftId` changes nothing. Returns what became of the draft.
 */
export async function holdSend(manager: Manager, draft: ManualDraft): Promise<WaitingSend> {
  await asManager(manager, (tx) => insertHeld(tx, manager, draft, null));
  return awaitStored(manager, draft.draftId);
}

/**
 * Stores a reminder to all who have not confirmed notification `no`, as `holdSend`. Returns what
 * became of it, or why none is possible.
 */
export async function holdReminder(manager: Manager, no: number, draftId: string): Promise<WaitingSend | NotReminded> {
  const earlier = await findWaiting(manager, draftId);
  if (earlier) return earlier;
  const unconfirmed = await listUnconfirmed(manager, no, null);
  const reason = await asManager(manager, async (tx) => {
    const reminder = await findReminder(tx, manager, no, unconfirmed);
    if ('reason' in reminder) return reminder.reason;
    const recipients = { to: 'people' as const, employeeIds: [] };
    await insertHeld(tx, manager, { ...reminder.text, recipients, draftId, mustConfirm: false }, no);
    return null;
  });
  return reason ?? awaitStored(manager, draftId);
}

async function insertHeld(tx: PersonTransaction, manager: Manager, draft: ManualDraft, remindsNo: number | null) {
  const { companyId, accountId } = manager;
  const { count } = await tx`
    insert into planned_sends (company_id, draft_id, account_id, ${draftColumns()}, is_planned, leaves_at, reminds_no)
    select ${companyId}, ${draft.draftId}::uuid, ${accountId}, ${draftValues(draft)}, false,
      now() + ${undoMs} * interval '1 ms', ${remindsNo}::bigint
    where not exists (select from notifications where company_id = ${companyId} and draft_id = ${draft.draftId}::uuid)
    on conflict do nothing`;
  if (count > 0 && draft.picture) await attachPicture(tx, manager, draft.draftId, draft.picture);
}

async function awaitStored(manager: Manager, draftId: string): Promise<WaitingSend> {
  const stored = await findWaiting(manager, draftId);
  if (!stored) throw new Error('the send was not stored');
  // The reconciliation of any process sends it too, should this one have ended by then.
  if (stored.state === 'held') setTimeout(() => void sendDueInTurn(), stored.leavesInMs + 1).unref();
  return stored;
}

/**
 * Plans a send for `localTime` (`2026-11-30T08:00`) in the company's time zone, with an
 * audit entry. A second submit of the same `draftId` changes nothing. Returns what became of the
 * draft, or why it is rejected.
 */
export async function planSend(
  manager: Manager,
  draft: ManualDraft,
  localTime: string,
): Promise<WaitingSend | TimeProblem | 'not-in-company' | 'too-many'> {
  const { companyId, accountId } = manager;
  const earlier = await findWaiting(manager, draft.draftId);
  if (earlier) return earlier;
  const problem = await asManager(manager, async (tx) => {
    const [state] = await tx<{ problem: TimeProblem | null; planned: number }[]>`
      select ${timeProblem(manager, localTime)} as problem, (
        select count(*)::int from planned_sends
        where company_id = ${companyId} and is_planned and undone_at is null and rule_id is null) as planned`;
    if (state?.problem) return state.problem;
    if ((state?.planned ?? 0) >= maxPlanned) return 'too-many';
    if (!(await areInCompany(tx, manager, draft))) return 'not-in-company';
    const [planned] = await tx<{ leavesAt: Date }[]>`
      insert into planned_sends (company_id, draft_id, account_id, ${draftColumns()}, is_planned, leaves_at)
      select ${companyId}, ${draft.draftId}::uuid, ${accountId}, ${draftValues(draft)}, true, ${timestampOf(manager, localTime)}
      on conflict do nothing returning leaves_at as "leavesAt"`;
    if (!planned) return null;
    if (draft.picture) await attachPicture(tx, manager, draft.draftId, draft.picture);
    await recordAudit(tx, manager, 'plan.create', asDetails(draft, planned.leavesAt));
    return null;
  });
  return problem ?? awaitStored(manager, draft.draftId);
}

export async function findWaiting(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  return findRow(selectWaiting(manager, sql()`select ${draftId}::uuid as draft_id`));
}

/** What the manager can undo now, and what became of these drafts. */
export const listHeld = (manager: Manager, draftIds: string[]): Promise<HeldSend[]> =>
  selectWaiting(
    manager,
    sql()`
    select draft_id from planned_sends
    where company_id = ${manager.companyId} and account_id = ${manager.accountId} and not is_planned and undone_at is null
    union select unnest(${draftIds}::uuid[])`,
  );

async function selectWaiting({ companyId }: Manager, drafts: Fragment): Promise<HeldSend[]> {
  return sql()<HeldSend[]>`
    select draft_id as "draftId", coalesce(n.title, p.title) as title,
      coalesce(n.reminds_no, p.reminds_no) is not null as "isReminder",
      case when n.no is not null then 'sent' when p.undone_at is not null then 'undone'
        when p.missed_at is not null then 'missed' when p.is_planned then 'planned' else 'held' end as state,
      n.no, n.reach, p.leaves_at as "leavesAt",
      least(greatest(0, ceil(extract(epoch from p.leaves_at - now()) * 1000)), ${undoMs})::int as "leavesInMs"
    from (select ${companyId}::int as company_id, draft_id from (${drafts}) drafts) asked
    left join notifications n using (company_id, draft_id)
    left join planned_sends p using (company_id, draft_id)
    where n.no is not null or p.leaves_at is not null
    order by p.leaves_at`;
}

/** The content of a send that was undone within the last day, or null. */
export async function findUndone({ companyId }: Manager, draftId: string): Promise<DraftContent | null> {
  return findRow(sql()<DraftContent[]>`
    select ${selectDraft()} from planned_sends d
    where company_id = ${companyId} and draft_id = ${draftId}::uuid and undone_at is not null
      and not is_planned and reminds_no is null`);
}

/**
 * Undoes a send in its grace, with an audit entry. A send that is just leaving wins: its row is
 * locked until it is sent. Returns what became of the draft.
 */
export async function undoHeldSend(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  const isUndone = await asManager(manager, async (tx) => {
    const [undone] = await tx<DraftContent[]>`
      update planned_sends d set undone_at = now()
      where company_id = ${manager.companyId} and draft_id = ${draftId}::uuid and undone_at is null and not is_planned
      returning ${selectDraft()}`;
    if (!undone) return false;
    const { title, recipients } = undone;
    await recordAudit(tx, manager, 'notification.undo', { title, employeeId: employeeIdOf(recipients) });
    return true;
  });
  return isUndone ? { state: 'undone' } : findWaiting(manager, draftId);
}

/** The timestamp of a date and time in the company's time zone, as SQL. */
const timestampOf = ({ timeZone }: Manager, localTime: string) =>
  sql()`(${localTime}::text::timestamp at time zone ${timeZone}::text)`;

/** SQL of the `TimeProblem` of a date and time, or null. Only the database's clock counts. */
const timeProblem = (manager: Manager, localTime: string) => sql()`
  case when ${timestampOf(manager, localTime)} <= clock_timestamp() then 'past'
    when ${timestampOf(manager, localTime)} > clock_timestamp() + interval '1 year' then 'too-far' end`;

type Was = Pick<Rows['plannedSends'], 'title' | 'leavesAt' | 'ruleId'> & { missed: boolean };

/**
 * Changes text, picture, recipients and time of a planned send, or plans a missed one again. The manager
 * becomes its sender. A send that a rule made changes with its rule, not here. Returns `'gone'`
 * when it left, was cancelled or never was.
 */
export async function changePlanned(
  manager: Manager,
  draftId: string,
  content: DraftContent,
  localTime: string,
): Promise<'changed' | 'gone' | TimeProblem | 'not-in-company'> {
  const { companyId, accountId } = manager;
  return asManager(manager, async (tx) => {
    const was = await lockPlanned(tx, manager, draftId);
    if (!was || (was.ruleId !== null && !was.missed)) return 'gone';
    const [state] = await tx<{ problem: TimeProblem | null }[]>`select ${timeProblem(manager, localTime)} as problem`;
    if (state?.problem) return state.problem;
    if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
    const [changed] = await tx<{ leavesAt: Date }[]>`
      update planned_sends
      set account_id = ${accountId}, (${draftColumns()}) = row(${draftValues(content)}), leaves_at = ${timestampOf(manager, localTime)},
        missed_at = null, missed_before = 0, rule_id = null
      where company_id = ${companyId} and draft_id = ${draftId}::uuid
      returning leaves_at as "leavesAt"`;
    await attachPicture(tx, manager, draftId, content.picture ?? null);
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
  return asManager(manager, async (tx) => {
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
  return asManager(manager, async (tx) => {
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
  const isFreed = await asManager(manager, async (tx) => {
    const was = await lockPlanned(tx, manager, draftId);
    if (!was) return false;
    await tx`
      update planned_sends set leaves_at = now(), missed_at = null, rule_id = null, account_id = ${accountId}
      where company_id = ${companyId} and draft_id = ${draftId}::uuid`;
    await recordAudit(tx, manager, 'plan.send', { title: was.title, leavesAt: was.leavesAt.toISOString() });
    if (was.ruleId !== null && !was.missed) await insertNext(tx, companyId, was.ruleId, was.leavesAt);
    return true;
  });
  if (isFreed) await sendOne({ companyId, draftId, ruleId: null, remindsNo: null }).catch(() => false);
  return findWaiting(manager, draftId);
}

// The rule's row first, as in `sendOne`.
async function lockPlanned(tx: PersonTransaction, { companyId }: Manager, draftId: string): Promise<Was | null> {
  const isWaiting = sql()`draft_id = ${draftId}::uuid and is_planned and undone_at is null`;
  await tx`
    select from send_rules where company_id = ${companyId} and id = (
      select rule_id from planned_sends where company_id = ${companyId} and ${isWaiting})
    for update`;
  return findRow(tx<Was[]>`
    select title, leaves_at as "leavesAt", rule_id as "ruleId", missed_at is not null as missed
    from planned_sends where company_id = ${companyId} and ${isWaiting} for update`);
}
