import { inTransaction, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit } from '#server/audit/record.ts';
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
import { sendDueInTurn } from '#server/sends/planned/due-sends.ts';

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
export type TimeProblem = 'past' | 'too-far';

/**
 * Stores a send that leaves after `undoMs`, whatever becomes of this process and of the page. A
 * second submit of the same `draftId` changes nothing. Returns what became of the draft.
 */
export async function holdSend(manager: Manager, draft: ManualDraft): Promise<WaitingSend> {
  const { companyId, accountId } = manager;
  await sql()`
    insert into planned_sends (company_id, draft_id, account_id, ${draftColumns()}, is_planned, leaves_at)
    select ${companyId}, ${draft.draftId}::uuid, ${accountId}, ${draftValues(draft)}, false,
      now() + ${undoMs} * interval '1 ms'
    where not exists (select from notifications where company_id = ${companyId} and draft_id = ${draft.draftId}::uuid)
    on conflict do nothing`;
  const held = await findWaiting(manager, draft.draftId);
  if (!held) throw new Error('the send was not stored');
  // The reconciliation of any process sends it too, should this one have ended by then.
  if (held.state === 'held') setTimeout(() => void sendDueInTurn(), held.leavesInMs + 1).unref();
  return held;
}

/**
 * Plans a send for `at`, a date and time (`2026-11-30T08:00`) in the company's time zone, with an
 * audit entry. A second submit of the same `draftId` changes nothing. Returns what became of the
 * draft, or why it is rejected.
 */
export async function planSend(
  manager: Manager,
  draft: ManualDraft,
  at: string,
): Promise<WaitingSend | TimeProblem | 'not-in-company' | 'too-many'> {
  const { companyId, accountId } = manager;
  const earlier = await findWaiting(manager, draft.draftId);
  if (earlier) return earlier;
  const problem = await inTransaction(async (tx) => {
    const [asked] = await tx<{ problem: TimeProblem | null; planned: number }[]>`
      select ${timeProblem(manager, at)} as problem, (
        select count(*)::int from planned_sends
        where company_id = ${companyId} and is_planned and undone_at is null and rule_id is null) as planned`;
    if (asked?.problem) return asked.problem;
    if ((asked?.planned ?? 0) >= maxPlanned) return 'too-many';
    if (!(await areInCompany(tx, manager, draft))) return 'not-in-company';
    const [planned] = await tx<{ leavesAt: Date }[]>`
      insert into planned_sends (company_id, draft_id, account_id, ${draftColumns()}, is_planned, leaves_at)
      select ${companyId}, ${draft.draftId}::uuid, ${accountId}, ${draftValues(draft)}, true, ${timestampOf(manager, at)}
      on conflict do nothing returning leaves_at as "leavesAt"`;
    if (planned) await recordAudit(tx, manager, 'plan.create', asDetails(draft, planned.leavesAt));
    return null;
  });
  if (problem) return problem;
  const waiting = await findWaiting(manager, draft.draftId);
  if (!waiting) throw new Error('the planned send was not stored');
  return waiting;
}

/** What became of a draft of the manager's company, or null. */
export async function findWaiting(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  const { companyId } = manager;
  const [found] = await sql()<
    (Pick<Rows['plannedSends'], 'isPlanned' | 'leavesAt'> & {
      no: Rows['notifications']['no'] | null;
      reach: Rows['notifications']['reach'];
      undone: boolean;
      missed: boolean;
      leavesInMs: number;
    })[]
  >`
    select n.no, n.reach, p.undone_at is not null as undone, p.missed_at is not null as missed,
      p.is_planned as "isPlanned", p.leaves_at as "leavesAt",
      least(greatest(0, ceil(extract(epoch from p.leaves_at - now()) * 1000)), 2147483647)::int as "leavesInMs"
    from (select ${companyId}::int as company_id, ${draftId}::uuid as draft_id) asked
    left join notifications n using (company_id, draft_id)
    left join planned_sends p using (company_id, draft_id)
    where n.no is not null or p.leaves_at is not null`;
  if (!found) return null;
  if (found.no !== null) return { state: 'sent', no: found.no, reach: found.reach };
  if (found.undone) return { state: 'undone' };
  if (found.missed) return { state: 'missed' };
  if (found.isPlanned) return { state: 'planned', leavesAt: found.leavesAt };
  return { state: 'held', leavesInMs: found.leavesInMs };
}

/**
 * Undoes a send in its grace, with an audit entry. A send that is just leaving wins: its row is
 * locked until it is sent. Returns what became of the draft.
 */
export async function undoHeldSend(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  const isUndone = await inTransaction(async (tx) => {
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
export const timestampOf = ({ timeZone }: Manager, at: string) =>
  sql()`(${at}::text::timestamp at time zone ${timeZone}::text)`;

/** SQL of the `TimeProblem` of a date and time, or null. Only the database's clock counts. */
export const timeProblem = (manager: Manager, at: string) => sql()`
  case when ${timestampOf(manager, at)} <= clock_timestamp() then 'past'
    when ${timestampOf(manager, at)} > clock_timestamp() + interval '1 year' then 'too-far' end`;
