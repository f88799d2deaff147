import { db, findRow } from '#db/client.ts';
import { and, eq, isNotNull, isNull, or, type SQL, sql } from '#db/drizzle.cjs';
import type { Rows } from '#db/schema/rows.ts';
import { accounts, employees, plannedSends, sendRules } from '#db/schema/tables.ts';
import type { Manager } from '#server/principals.ts';
import { type DraftContent, draftFields } from '#server/sends/manual/drafts.ts';
import { maxPlanned } from '#server/sends/planned/planned-sends.ts';
import { maxRules, type Schedule } from '#server/sends/planned/send-rules.ts';

/** Who a planned send is for, and who planned it; the names are current. */
type Names = { recipientName: string | null; plannedBy: string };

/**
 * A planned or missed send. `localTime` (`2026-11-30T08:00`) is its time in the company's zone.
 * `reason` says why it was missed: it was late, its sender may no longer send, or its recipient is
 * not there. `missedBefore`: how many earlier sends of its rule were missed and are not listed.
 */
export type PlannedSend = DraftContent &
  Names &
  Pick<Rows['plannedSends'], 'draftId' | 'leavesAt' | 'missedAt' | 'missedBefore' | 'ruleId'> & {
    localTime: string;
    reason: 'late' | 'sender' | 'recipient' | null;
  };

/**
 * A rule that runs. `leavesAt` is the time of its next send, `nextDraftId`. With `isSenderGone` the
 * person who made it may no longer send: its sends are missed until somebody changes it.
 */
export type SendRule = DraftContent &
  Names &
  Schedule & {
    id: number;
    timeZone: string;
    nextDraftId: string | null;
    leavesAt: Date | null;
    isSenderGone: boolean;
  };

const maySend = or(accounts.isOwner, accounts.isManager);

const names = { recipientName: employees.name, plannedBy: accounts.name };

const selectPlanned = async ({ companyId, timeZone }: Manager, which: SQL | undefined): Promise<PlannedSend[]> =>
  db()
    .select({
      draftId: plannedSends.draftId,
      ...draftFields(plannedSends),
      ...names,
      leavesAt: plannedSends.leavesAt,
      localTime: sql<string>`to_char(${plannedSends.leavesAt} at time zone ${timeZone}, 'YYYY-MM-DD"T"HH24:MI')`,
      missedAt: plannedSends.missedAt,
      missedBefore: plannedSends.missedBefore,
      reason: sql<
        PlannedSend['reason']
      >`case when ${plannedSends.missedAt} is null then null when not ${maySend} then 'sender'
        when ${plannedSends.missedAt} < ${plannedSends.leavesAt} + interval '1 hour' then 'recipient' else 'late' end`,
      ruleId: plannedSends.ruleId,
    })
    .from(plannedSends)
    .innerJoin(accounts, and(eq(accounts.companyId, plannedSends.companyId), eq(accounts.id, plannedSends.accountId)))
    .leftJoin(
      employees,
      and(eq(employees.companyId, plannedSends.companyId), eq(employees.id, plannedSends.recipientId)),
    )
    .where(and(eq(plannedSends.companyId, companyId), plannedSends.isPlanned, isNull(plannedSends.undoneAt), which))
    .orderBy(plannedSends.leavesAt, plannedSends.draftId)
    .limit(2 * maxPlanned);

const selectRules = async ({ companyId }: Manager, id?: number): Promise<SendRule[]> =>
  db()
    .select({
      id: sendRules.id,
      ...draftFields(sendRules),
      ...names,
      every: sql<SendRule['every']>`${sendRules.every}`,
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
    .innerJoin(accounts, and(eq(accounts.companyId, sendRules.companyId), eq(accounts.id, sendRules.accountId)))
    .leftJoin(employees, and(eq(employees.companyId, sendRules.companyId), eq(employees.id, sendRules.recipientId)))
    .leftJoin(
      plannedSends,
      and(
        eq(plannedSends.companyId, sendRules.companyId),
        eq(plannedSends.ruleId, sendRules.id),
        isNull(plannedSends.undoneAt),
        isNull(plannedSends.missedAt),
      ),
    )
    .where(
      and(
        eq(sendRules.companyId, companyId),
        isNull(sendRules.endedAt),
        id === undefined ? undefined : eq(sendRules.id, id),
      ),
    )
    .orderBy(plannedSends.leavesAt, sendRules.id)
    .limit(maxRules);

/**
 * Everything that a company has planned: missed and single sends, the earliest first, and the rules
 * that run. What a rule planned is with the rule.
 */
export async function listPlanned(manager: Manager): Promise<{ sends: PlannedSend[]; rules: SendRule[] }> {
  const [sends, rules] = await Promise.all([
    selectPlanned(manager, or(isNull(plannedSends.ruleId), isNotNull(plannedSends.missedAt))),
    selectRules(manager),
  ]);
  return { sends, rules };
}

export async function findPlanned(manager: Manager, draftId: string): Promise<PlannedSend | null> {
  return findRow(selectPlanned(manager, eq(plannedSends.draftId, draftId)));
}

export async function findRule(manager: Manager, id: number): Promise<SendRule | null> {
  return findRow(selectRules(manager, id));
}

/** The missed sends, and the next one that leaves, for the home page. */
export async function findPlannedForHome(
  manager: Manager,
): Promise<{ missed: PlannedSend[]; next: PlannedSend | null }> {
  const [missed, waiting] = await Promise.all([
    selectPlanned(manager, isNotNull(plannedSends.missedAt)),
    selectPlanned(manager, isNull(plannedSends.missedAt)),
  ]);
  return { missed, next: waiting[0] ?? null };
}
