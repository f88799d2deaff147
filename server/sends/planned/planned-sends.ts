import { countRows, db, findRow, matches } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/company-row.ts';
import { and, eq, isNotNull, isNull, not, or, type PgUpdateSetSource, type SQL, sql, union } from '#db/drizzle.cjs';
import { notifications, plannedSends } from '#db/schema/tables.ts';
import { type AuditAction, recordAudit } from '#server/audit/record.ts';
import { employeeIdOf } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import {
  areInCompany,
  asDetails,
  type DraftContent,
  draftFields,
  draftValues,
  isSent,
  type ManualDraft,
} from '#server/sends/drafts.ts';
import { findReminder, listUnconfirmed, type NotReminded } from '#server/sends/manual/send-manually.ts';
import { attachPicture } from '#server/sends/pictures/pictures.ts';
import { sendDueInTurn, sendOne } from '#server/sends/planned/due-sends.ts';
import { insertNext } from '#server/sends/planned/send-rules.ts';

/** How long the sender of a message to several people is offered to undo it, in milliseconds. */
export const undoMs = 10_000;
/** How much later the message leaves, so that an undo of the last moment arrives in time, in milliseconds. */
export const undoArrivalMs = 3000;

/** How many sends of a company may be planned at a time, those of rules not counted. */
export const maxPlanned = 300;

/** What became of a draft: it waits, left as notification `no`, was undone, or was missed. */
export type WaitingSend =
  | { state: 'held'; undoableMs: number }
  | { state: 'planned'; leavesAt: Date }
  | { state: 'sent'; no: number; reach: number }
  | { state: 'undone' }
  | { state: 'missed' };

/** Why a time for a send is rejected: it is not in the future, or more than a year ahead. */
type TimeProblem = 'past' | 'too-far';

/** A send or reminder that can be undone, or what became of it. */
export type HeldSend = WaitingSend & { draftId: string; title: string; isReminder: boolean };

/** Stores a send that leaves after `undoMs` and `undoArrivalMs`, even if this process ends. A draft is stored once. */
export async function holdSend(manager: Manager, draft: ManualDraft): Promise<WaitingSend> {
  await withManager(manager, (tx) => insertHeld(tx, manager, draft, null));
  return awaitStored(manager, draft.draftId);
}

/** Stores a reminder to all who have not confirmed notification `no`, as `holdSend`, or says why none is possible. */
export async function holdReminder(manager: Manager, no: number, draftId: string): Promise<WaitingSend | NotReminded> {
  const earlier = await findWaiting(manager, draftId);
  if (earlier) return earlier;
  const unconfirmed = await listUnconfirmed(manager, no, null);
  const reason = await withManager(manager, async (tx) => {
    const reminder = await findReminder(tx, manager, no, unconfirmed);
    if ('reason' in reminder) return reminder.reason;
    const recipients = { to: 'people' as const, employeeIds: [] };
    await insertHeld(tx, manager, { ...reminder.text, recipients, draftId, mustConfirm: false }, no);
    return null;
  });
  return reason ?? awaitStored(manager, draftId);
}

async function insertHeld(tx: PersonTransaction, manager: Manager, draft: ManualDraft, remindsNo: number | null) {
  const leavesAt = sql`now() + ${undoMs + undoArrivalMs} * interval '1 ms'`;
  if (!(await isSent(tx, manager, draft.draftId)))
    await insertPlanned(tx, manager, draft, { isPlanned: false, leavesAt, remindsNo });
}

// Returns when the draft leaves, or null when it was stored before.
async function insertPlanned(
  tx: PersonTransaction,
  manager: Manager,
  draft: ManualDraft,
  how: { isPlanned: boolean; leavesAt: SQL; remindsNo?: number | null },
): Promise<Date | null> {
  const { companyId, accountId } = manager;
  const { draftId, picture } = draft;
  const values = { companyId, draftId, accountId, ...draftValues(draft), ...how };
  const insert = db(tx).insert(plannedSends).values(values).onConflictDoNothing();
  const stored = await findRow(insert.returning({ leavesAt: plannedSends.leavesAt }));
  if (stored && picture) await attachPicture(tx, manager, draftId, picture);
  return stored?.leavesAt ?? null;
}

async function awaitStored(manager: Manager, draftId: string): Promise<WaitingSend> {
  const stored = await findWaiting(manager, draftId);
  if (!stored) throw new Error('the send was not stored');
  // The reconciliation of any process sends it too, should this one have ended by then.
  if (stored.state === 'held') setTimeout(() => void sendDueInTurn(), stored.undoableMs + undoArrivalMs + 1).unref();
  return stored;
}

/** Plans a send for `localTime` (`2026-11-30T08:00`) in the company's time zone. A second submit changes nothing. */
export async function planSend(
  manager: Manager,
  draft: ManualDraft,
  localTime: string,
): Promise<WaitingSend | TimeProblem | 'not-in-company' | 'too-many'> {
  const { companyId } = manager;
  const earlier = await findWaiting(manager, draft.draftId);
  if (earlier) return earlier;
  const problem = await withManager(manager, async (tx) => {
    const timeProblem = await findTimeProblem(tx, manager, localTime);
    if (timeProblem) return timeProblem;
    const plans = { companyId, isPlanned: true, undoneAt: null, ruleId: null };
    if ((await countRows(db(tx), plannedSends, plans)) >= maxPlanned) return 'too-many';
    if (!(await areInCompany(tx, manager, draft))) return 'not-in-company';
    const planned = { isPlanned: true, leavesAt: timestampOf(manager, localTime) };
    const leavesAt = await insertPlanned(tx, manager, draft, planned);
    if (leavesAt) await recordAudit(tx, manager, 'plan.create', asDetails(draft, leavesAt));
    return null;
  });
  return problem ?? awaitStored(manager, draft.draftId);
}

export const findWaiting = async (manager: Manager, draftId: string): Promise<WaitingSend | null> =>
  findRow(selectWaiting(manager, [draftId], sql`false`));

/** What the manager can undo now, and what became of these drafts. */
export const listHeld = (manager: Manager, draftIds: string[]): Promise<HeldSend[]> => {
  const isOwn = and(eq(plannedSends.accountId, manager.accountId), not(plannedSends.isPlanned));
  return selectWaiting(manager, draftIds, and(isOwn, isNull(plannedSends.undoneAt)));
};

const given = sql<string>`given`;

// These drafts, and those that wait as `others` says.
async function selectWaiting({ companyId }: Manager, draftIds: string[], others: SQL | undefined): Promise<HeldSend[]> {
  const ofCompany = and(eq(plannedSends.companyId, companyId), others);
  const drafts = sql`unnest(${sql.param(draftIds)}::uuid[]) given`;
  const asked = union(
    db().select({ draftId: plannedSends.draftId }).from(plannedSends).where(ofCompany),
    db().select({ draftId: given }).from(drafts),
  ).as('asked');
  const rows = await db()
    .select({
      draftId: asked.draftId,
      title: sql<string>`coalesce(${notifications.title}, ${plannedSends.title})`,
      isReminder: sql<boolean>`coalesce(${notifications.remindsNo}, ${plannedSends.remindsNo}) is not null`,
      state: sql<HeldSend['state']>`case when ${notifications.no} is not null then 'sent'
        when ${plannedSends.undoneAt} is not null then 'undone' when ${plannedSends.missedAt} is not null then 'missed'
        when ${plannedSends.isPlanned} then 'planned' else 'held' end`,
      no: notifications.no,
      reach: notifications.reach,
      leavesAt: plannedSends.leavesAt,
      undoableMs: sql<number>`least(${undoMs},
        greatest(0, ceil(extract(epoch from ${plannedSends.leavesAt} - now()) * 1000) - ${undoArrivalMs}))::int`,
    })
    .from(asked)
    .leftJoin(notifications, matches(notifications, { companyId, draftId: asked.draftId }))
    .leftJoin(plannedSends, matches(plannedSends, { companyId, draftId: asked.draftId }))
    .where(or(isNotNull(notifications.no), isNotNull(plannedSends.leavesAt)))
    .orderBy(plannedSends.leavesAt);
  return rows as HeldSend[];
}

/** The content of a send that was undone within the last day, or null. */
export async function findUndone({ companyId }: Manager, draftId: string): Promise<DraftContent | null> {
  const isUndone = and(isNotNull(plannedSends.undoneAt), not(plannedSends.isPlanned), isNull(plannedSends.remindsNo));
  const ofDraft = matches(plannedSends, { companyId, draftId });
  return findRow(db().select(draftFields(plannedSends)).from(plannedSends).where(and(ofDraft, isUndone)));
}

/** Undoes a send in its grace, with an audit entry. One that is just leaving wins: its row is locked. */
export async function undoHeldSend(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  const isUndone = await withManager(manager, async (tx) => {
    const isHeld = and(isNull(plannedSends.undoneAt), not(plannedSends.isPlanned));
    const undone = await updatePlanned(tx, manager, draftId, { undoneAt: sql`now()` }, isHeld);
    if (!undone) return false;
    const { title, recipients } = undone;
    await recordAudit(tx, manager, 'notification.undo', { title, employeeId: employeeIdOf(recipients) });
    return true;
  });
  return isUndone ? { state: 'undone' } : findWaiting(manager, draftId);
}

const updatePlanned = (
  tx: PersonTransaction,
  { companyId }: Manager,
  draftId: string,
  values: PgUpdateSetSource<typeof plannedSends>,
  condition?: SQL,
) =>
  findRow(
    db(tx)
      .update(plannedSends)
      .set(values)
      .where(and(matches(plannedSends, { companyId, draftId }), condition))
      .returning({ ...draftFields(plannedSends), leavesAt: plannedSends.leavesAt }),
  );

const timestampOf = ({ timeZone }: Manager, localTime: string) =>
  sql`(${localTime}::text::timestamp at time zone ${timeZone}::text)`;

// Only the database's clock counts.
async function findTimeProblem(tx: PersonTransaction, manager: Manager, localTime: string) {
  const leavesAt = timestampOf(manager, localTime);
  const [row] = await db(tx).execute<{ problem: TimeProblem | null }>(sql`
    select case when ${leavesAt} <= clock_timestamp() then 'past'
      when ${leavesAt} > clock_timestamp() + interval '1 year' then 'too-far' end as problem`);
  return row?.problem ?? null;
}

/** Changes a planned or missed send, whose sender the manager becomes. `'gone'`: it left, was cancelled, or is a rule's. */
export async function changePlanned(
  manager: Manager,
  draftId: string,
  content: DraftContent,
  localTime: string,
): Promise<'changed' | 'gone' | TimeProblem | 'not-in-company'> {
  return withManager(manager, async (tx) => {
    const was = await findPlanned(tx, manager, draftId);
    if (!was || (was.ruleId !== null && !was.missed)) return 'gone';
    const problem = await findTimeProblem(tx, manager, localTime);
    if (problem) return problem;
    if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
    const changed = await updatePlanned(tx, manager, draftId, {
      accountId: manager.accountId,
      ...draftValues(content),
      leavesAt: timestampOf(manager, localTime),
      missedAt: null,
      missedBefore: 0,
      ruleId: null,
    });
    await attachPicture(tx, manager, draftId, content.picture ?? null);
    await recordAudit(tx, manager, 'plan.edit', {
      ...asDetails(content, changed?.leavesAt),
      was: { title: was.title, leavesAt: was.leavesAt.toISOString() },
    });
    return 'changed';
  });
}

/** Cancels a planned send, or discards a missed one with those it stands for; the rule goes on. `'gone'`: it leaves. */
export async function cancelPlanned(manager: Manager, draftId: string): Promise<'cancelled' | 'gone'> {
  return withManager(manager, async (tx) => {
    const actionOf = (isSkip: boolean) => (isSkip ? 'rule.skip' : 'plan.cancel');
    const isCancelled = await leaveRule(tx, manager, draftId, { undoneAt: sql`now()` }, actionOf);
    return isCancelled ? 'cancelled' : 'gone';
  });
}

// Changes a planned or missed send, with an audit entry; the rule of a planned one goes on with the time after it.
// Returns false when there is none.
async function leaveRule(
  tx: PersonTransaction,
  manager: Manager,
  draftId: string,
  values: PgUpdateSetSource<typeof plannedSends>,
  actionOf: (isSkip: boolean) => AuditAction,
): Promise<boolean> {
  const was = await findPlanned(tx, manager, draftId);
  if (!was) return false;
  const { title, leavesAt, missed } = was;
  const skippedRule = missed ? null : was.ruleId;
  await updatePlanned(tx, manager, draftId, values);
  await recordAudit(tx, manager, actionOf(skippedRule !== null), { title, leavesAt: leavesAt.toISOString() });
  if (skippedRule !== null) await insertNext(tx, manager.companyId, skippedRule, leavesAt);
  return true;
}

/**
 * Sends a planned or missed send at once, as the manager; its rule goes on. Returns what became of it; the
 * reconciliation sends it when this process cannot.
 */
export async function sendPlannedNow(manager: Manager, draftId: string): Promise<WaitingSend | null> {
  const { companyId, accountId } = manager;
  const freed = { leavesAt: sql`now()`, missedAt: null, ruleId: null, accountId };
  const isFreed = await withManager(manager, (tx) => leaveRule(tx, manager, draftId, freed, () => 'plan.send'));
  if (isFreed) await sendOne({ companyId, draftId, ruleId: null, remindsNo: null }).catch(() => false);
  return findWaiting(manager, draftId);
}

function findPlanned(tx: PersonTransaction, { companyId }: Manager, draftId: string) {
  const { title, leavesAt, ruleId, missedAt } = plannedSends;
  const fields = { title, leavesAt, ruleId, missed: sql<boolean>`${missedAt} is not null` };
  const isWaiting = and(matches(plannedSends, { companyId, draftId, undoneAt: null }), plannedSends.isPlanned);
  return findRow(db(tx).select(fields).from(plannedSends).where(isWaiting));
}
