import { db, findRow, matches } from '#db/client.ts';
import { and, eq, isNotNull, isNull, or, type SQL, sql } from '#db/drizzle.cjs';
import { accounts, employees, plannedSends, sendRules } from '#db/schema/tables.ts';
import type { Manager } from '#server/principals.ts';
import { draftFields } from '#server/sends/drafts.ts';
import { maxPlanned } from '#server/sends/planned/planned-sends.ts';
import type { Recurrence } from '#server/sends/planned/recurrences.ts';
import { isWaiting, maxRules } from '#server/sends/planned/send-rules.ts';

const maySend = or(accounts.isOwner, accounts.isManager);

const names = { recipientName: employees.name, plannedBy: accounts.name };

const isLate = sql`${plannedSends.missedAt} >= ${plannedSends.leavesAt} + interval '1 hour'`;

async function selectPlanned({ companyId, timeZone }: Manager, which: SQL | undefined) {
  const { draftId, leavesAt, missedAt, missedBefore, ruleId } = plannedSends;
  const localTime = sql<string>`to_char(${leavesAt} at time zone ${timeZone}, 'YYYY-MM-DD"T"HH24:MI')`;
  const reason = sql<'late' | 'sender' | 'recipient' | null>`case when ${missedAt} is not null then
    case when not ${maySend} then 'sender' when ${isLate} then 'late' else 'recipient' end end`;
  const times = { leavesAt, localTime, missedAt, missedBefore };
  return db()
    .select({ draftId, ...draftFields(plannedSends), ...names, ...times, reason, ruleId })
    .from(plannedSends)
    .innerJoin(accounts, matches(accounts, { companyId, id: plannedSends.accountId }))
    .leftJoin(employees, matches(employees, { companyId, id: plannedSends.recipientId }))
    .where(and(matches(plannedSends, { companyId, undoneAt: null }), plannedSends.isPlanned, which))
    .orderBy(leavesAt, draftId)
    .limit(2 * maxPlanned);
}

/**
 * A planned or missed send. `localTime`: in the company's zone. `reason`: late, its sender may no longer send, or its
 * recipient is gone. `missedBefore`: how many earlier ones of its rule it stands for.
 */
export type PlannedSend = Awaited<ReturnType<typeof selectPlanned>>[number];

async function selectRules({ companyId }: Manager, only?: number) {
  const { id, monthDay, minute, timeZone, startsOn, endsOn } = sendRules;
  const every = sql<Recurrence>`${sendRules.every}`;
  const weekdays = sql<number[]>`coalesce(${sendRules.weekdays}, '{}')`;
  const time = sql<string>`to_char(make_time(${minute} / 60, ${minute} % 60, 0), 'HH24:MI')`;
  const schedule = { every, weekdays, monthDay, time, timeZone, startsOn, endsOn };
  const isSenderGone = sql<boolean>`not ${maySend}`;
  const next = { nextDraftId: plannedSends.draftId, leavesAt: plannedSends.leavesAt };
  return db()
    .select({ id, ...draftFields(sendRules), ...names, ...schedule, isSenderGone, ...next })
    .from(sendRules)
    .innerJoin(accounts, matches(accounts, { companyId, id: sendRules.accountId }))
    .leftJoin(employees, matches(employees, { companyId, id: sendRules.recipientId }))
    .leftJoin(plannedSends, and(matches(plannedSends, { companyId, ruleId: sendRules.id }), isWaiting))
    .where(and(matches(sendRules, { companyId, endedAt: null }), only === undefined ? undefined : eq(id, only)))
    .orderBy(plannedSends.leavesAt, id)
    .limit(maxRules);
}

/** A rule that runs. `leavesAt`: of its next send. `isSenderGone`: its sends are missed until it is changed. */
export type SendRule = Awaited<ReturnType<typeof selectRules>>[number];

/** What a company has planned: missed and single sends, the earliest first, and the rules that run. */
export async function listPlanned(manager: Manager): Promise<{ sends: PlannedSend[]; rules: SendRule[] }> {
  const [sends, rules] = await Promise.all([
    selectPlanned(manager, or(isNull(plannedSends.ruleId), isNotNull(plannedSends.missedAt))),
    selectRules(manager),
  ]);
  return { sends, rules };
}

export const findPlanned = (manager: Manager, draftId: string) =>
  findRow(selectPlanned(manager, eq(plannedSends.draftId, draftId)));

export const findRule = (manager: Manager, id: number) => findRow(selectRules(manager, id));

/** The missed sends, and the next one that leaves, for the home page. */
export async function findPlannedForHome(manager: Manager) {
  const [missed, waiting] = await Promise.all([
    selectPlanned(manager, isNotNull(plannedSends.missedAt)),
    selectPlanned(manager, isNull(plannedSends.missedAt)),
  ]);
  return { missed, next: waiting[0] ?? null };
}
