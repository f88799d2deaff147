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

const selectPlanned = async ({ companyId, timeZone }: Manager, which: SQL | undefined) =>
  db()
    .select({
      draftId: plannedSends.draftId,
      ...draftFields(plannedSends),
      ...names,
      leavesAt: plannedSends.leavesAt,
      localTime: sql<string>`to_char(${plannedSends.leavesAt} at time zone ${timeZone}, 'YYYY-MM-DD"T"HH24:MI')`,
      missedAt: plannedSends.missedAt,
      missedBefore: plannedSends.missedBefore,
      reason: sql<'late' | 'sender' | 'recipient' | null>`case when ${plannedSends.missedAt} is not null then
        case when not ${maySend} then 'sender' when ${isLate} then 'late' else 'recipient' end end`,
      ruleId: plannedSends.ruleId,
    })
    .from(plannedSends)
    .innerJoin(accounts, matches(accounts, { companyId, id: plannedSends.accountId }))
    .leftJoin(employees, matches(employees, { companyId, id: plannedSends.recipientId }))
    .where(and(matches(plannedSends, { companyId, undoneAt: null }), plannedSends.isPlanned, which))
    .orderBy(plannedSends.leavesAt, plannedSends.draftId)
    .limit(2 * maxPlanned);

/**
 * A planned or missed send. `localTime`: in the company's zone. `reason`: late, its sender may no longer send, or its
 * recipient is gone. `missedBefore`: how many earlier ones of its rule it stands for.
 */
export type PlannedSend = Awaited<ReturnType<typeof selectPlanned>>[number];

const selectRules = async ({ companyId }: Manager, id?: number) =>
  db()
    .select({
      id: sendRules.id,
      ...draftFields(sendRules),
      ...names,
      every: sql<Recurrence>`${sendRules.every}`,
      weekdays: sql<number[]>`coalesce(${sendRules.weekdays}, '{}')`,
      monthDay: sendRules.monthDay,
      time: sql<string>`to_char(make_time(${sendRules.minute} / 60, ${sendRules.minute} % 60, 0), 'HH24:MI')`,
      timeZone: sendRules.timeZone,
      startsOn: sendRules.startsOn,
      endsOn: sendRules.endsOn,
      isSenderGone: sql<boolean>`not ${maySend}`,
      nextDraftId: plannedSends.draftId,
      leavesAt: plannedSends.leavesAt,
    })
    .from(sendRules)
    .innerJoin(accounts, matches(accounts, { companyId, id: sendRules.accountId }))
    .leftJoin(employees, matches(employees, { companyId, id: sendRules.recipientId }))
    .leftJoin(plannedSends, and(matches(plannedSends, { companyId, ruleId: sendRules.id }), isWaiting))
    .where(and(matches(sendRules, { companyId, endedAt: null }), id === undefined ? undefined : eq(sendRules.id, id)))
    .orderBy(plannedSends.leavesAt, sendRules.id)
    .limit(maxRules);

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
