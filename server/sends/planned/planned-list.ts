import { type Fragment, findRow, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import type { Manager } from '#server/principals.ts';
import { type DraftContent, selectDraft } from '#server/sends/manual/drafts.ts';
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

const maySend = () => sql()`(a.is_owner or a.is_manager)`;

const joinNames = () => sql()`
  join accounts a on a.company_id = d.company_id and a.id = d.account_id
  left join employees e on e.company_id = d.company_id and e.id = d.recipient_id`;

const names = () => sql()`e.name as "recipientName", a.name as "plannedBy"`;

const selectPlanned = ({ companyId, timeZone }: Manager, which: Fragment) => sql()<PlannedSend[]>`
  select d.draft_id as "draftId", ${selectDraft()}, ${names()}, d.leaves_at as "leavesAt",
    to_char(d.leaves_at at time zone ${timeZone}, 'YYYY-MM-DD"T"HH24:MI') as "localTime", d.missed_at as "missedAt",
    d.missed_before as "missedBefore",
    case when d.missed_at is null then null when not ${maySend()} then 'sender'
      when d.missed_at < d.leaves_at + interval '1 hour' then 'recipient' else 'late' end as reason, d.rule_id as "ruleId"
  from planned_sends d ${joinNames()}
  where d.company_id = ${companyId} and d.is_planned and d.undone_at is null and ${which}
  order by d.leaves_at, d.draft_id limit ${2 * maxPlanned}`;

const selectRules = ({ companyId }: Manager, which: Fragment) => sql()<SendRule[]>`
  select d.id, ${selectDraft()}, ${names()}, d.every, coalesce(d.weekdays, '{}') as weekdays, d.month_day as "monthDay",
    to_char(make_time(d.minute / 60, d.minute % 60, 0), 'HH24:MI') as time, d.time_zone as "timeZone",
    d.starts_on::text as "startsOn", d.ends_on::text as "endsOn", not ${maySend()} as "isSenderGone",
    p.draft_id as "nextDraftId", p.leaves_at as "leavesAt"
  from send_rules d ${joinNames()}
  left join planned_sends p on p.company_id = d.company_id and p.rule_id = d.id and p.undone_at is null
    and p.missed_at is null
  where d.company_id = ${companyId} and d.ended_at is null and ${which}
  order by p.leaves_at, d.id limit ${maxRules}`;

/**
 * Everything that a company has planned: missed and single sends, the earliest first, and the rules
 * that run. What a rule planned is with the rule.
 */
export async function listPlanned(manager: Manager): Promise<{ sends: PlannedSend[]; rules: SendRule[] }> {
  const [sends, rules] = await Promise.all([
    selectPlanned(manager, sql()`(d.rule_id is null or d.missed_at is not null)`),
    selectRules(manager, sql()`true`),
  ]);
  return { sends, rules };
}

export async function findPlanned(manager: Manager, draftId: string): Promise<PlannedSend | null> {
  return findRow(selectPlanned(manager, sql()`d.draft_id = ${draftId}::uuid`));
}

export async function findRule(manager: Manager, id: number): Promise<SendRule | null> {
  return findRow(selectRules(manager, sql()`d.id = ${id}`));
}

/** The missed sends, and the next one that leaves, for the home page. */
export async function findPlannedForHome(
  manager: Manager,
): Promise<{ missed: PlannedSend[]; next: PlannedSend | null }> {
  const [missed, waiting] = await Promise.all([
    selectPlanned(manager, sql()`d.missed_at is not null`),
    selectPlanned(manager, sql()`d.missed_at is null`),
  ]);
  return { missed, next: waiting[0] ?? null };
}
