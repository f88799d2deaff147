import pLimit from 'p-limit';
import { db, deleteRows, inTransaction, matches, type Rows, type Transaction, updateRows } from '#db/client.ts';
import { checkRights, lockCompanyRow, type PersonTransaction } from '#db/company-row.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { and, eq, lte, sql } from '#db/drizzle.cjs';
import { makeReconciliation } from '#db/reconciliation.ts';
import { accounts, companies, plannedSends } from '#db/schema/tables.ts';
import { log } from '#platform/log/log.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import { asDetails, draftFields, type ManualDraft } from '#server/sends/drafts.ts';
import { insertManualSend, insertReminder, listUnconfirmed } from '#server/sends/manual/send-manually.ts';
import { insertNext, isWaiting, joinMissed } from '#server/sends/planned/send-rules.ts';
import { afterSend, type StoredSend } from '#server/sends/store.ts';

// A company whose row is locked delays only its own worker.
const workers = 4;

/** A waiting send. */
type Due = Pick<Rows['plannedSends'], 'companyId' | 'draftId' | 'ruleId' | 'remindsNo'>;

type DueRow = NonNullable<Awaited<ReturnType<typeof findDueRow>>>;

type StoredDraft = { manager: Manager; draft: ManualDraft; stored: StoredSend };

/**
 * Sends what is due, the oldest first, in any number of processes: each leaves once, and is missed after an hour. A
 * failure stops those of its company until the next call. Returns how many it sent.
 */
export async function sendDue(): Promise<number> {
  const tried: string[] = [];
  for (let sentCount = 0; ; ) {
    const due = await findDue(tried);
    if (due.length === 0) return sentCount;
    tried.push(...due.map(({ draftId }) => draftId));
    const companies = Map.groupBy(due, ({ companyId }) => companyId).values();
    for (const count of await pLimit(workers).map(companies, sendOfCompany)) sentCount += count;
  }
}

async function sendOfCompany(due: Due[]): Promise<number> {
  let sentCount = 0;
  for (const send of due) {
    try {
      sentCount += Number(await sendOne(send));
    } catch (error) {
      // For example a company whose row is locked.
      const details = { err: error, companyId: send.companyId };
      if (!isDatabaseUnavailable(error))
        log().warn(details, 'a planned send did not leave; the next reconciliation tries again');
      return sentCount;
    }
  }
  return sentCount;
}

const isDue = and(isWaiting, lte(plannedSends.leavesAt, sql`now()`));

function findDue(without: string[]): Promise<Due[]> {
  const { companyId, draftId, ruleId, remindsNo, leavesAt } = plannedSends;
  const isOther = sql`${draftId} <> all(${sql.param(without)}::uuid[])`;
  const query = db().select({ companyId, draftId, ruleId, remindsNo }).from(plannedSends).where(and(isDue, isOther));
  return query.orderBy(leavesAt).limit(200).execute();
}

/** Sends one waiting send if it is due. The company's lock decides between processes, and with who changes it. */
export async function sendOne({ companyId, draftId, ruleId, remindsNo }: Due): Promise<boolean> {
  const unconfirmed = remindsNo === null ? [] : await listUnconfirmed({ companyId }, remindsNo, null);
  const storedDraft = await inTransaction(async (tx): Promise<StoredDraft | null> => {
    await lockCompanyRow(tx, { companyId });
    const due = await findDueRow(tx, { companyId, draftId, ruleId, remindsNo });
    if (!due) return null;
    const { companyName, timeZone, accountId, name, isPlanned, isLate, leavesAt, ...draft } = due;
    const manager: Manager = { kind: 'manager', companyId, companyName, timeZone, accountId, name };
    const person = isLate ? null : await checkRights(tx, manager);
    const outcome = person && (await leave(person, manager, draft, remindsNo, unconfirmed));
    // A person can repeat a reminder that did not leave, so it does not stay.
    if (outcome || remindsNo !== null) await deleteRows(db(tx), plannedSends, { companyId, draftId });
    if (!outcome) await miss(tx, companyId, ruleId, due);
    if (ruleId !== null) await insertNext(tx, companyId, ruleId, leavesAt);
    return outcome === 'nothing' ? null : outcome;
  });
  if (!storedDraft) return false;
  afterSend(storedDraft.manager, storedDraft.draft.recipients, storedDraft.stored);
  return true;
}

async function findDueRow(tx: Transaction, { companyId, draftId, ruleId, remindsNo }: Due) {
  const { accountId, isPlanned, leavesAt } = plannedSends;
  const sender = { companyName: companies.name, timeZone: companies.timeZone, accountId, name: accounts.name };
  const isLate = sql<boolean>`${leavesAt} <= now() - interval '1 hour'`;
  const content = { draftId: plannedSends.draftId, ...draftFields(plannedSends) };
  const [due] = await db(tx)
    .select({ ...sender, ...content, isPlanned, leavesAt, isLate })
    .from(plannedSends)
    .innerJoin(companies, eq(companies.id, plannedSends.companyId))
    .innerJoin(accounts, matches(accounts, { companyId: plannedSends.companyId, id: plannedSends.accountId }))
    .where(and(matches(plannedSends, { companyId, draftId, ruleId, remindsNo }), isDue));
  return due;
}

// `nothing`: it was sent before, or no reminder is due: all have confirmed, another was just sent, or the original
// is withdrawn. Null: its recipient is not in the company.
async function leave(
  tx: PersonTransaction,
  manager: Manager,
  draft: ManualDraft,
  no: number | null,
  unconfirmed: number[],
): Promise<StoredDraft | 'nothing' | null> {
  const stored = await (no === null
    ? insertManualSend(tx, manager, draft)
    : insertReminder(tx, manager, { no, employeeId: null, draftId: draft.draftId }, unconfirmed));
  if (stored === 'not-in-company') return null;
  return typeof stored === 'object' && 'hasDevices' in stored ? { manager, draft, stored } : 'nothing';
}

// A missed send stays until a person decides, even if it waited only for its undo time.
async function miss(tx: Transaction, companyId: number, ruleId: number | null, due: DueRow): Promise<void> {
  const { draftId, leavesAt: lastAt } = due;
  await updateRows(db(tx), plannedSends, { companyId, draftId }, { missedAt: sql`now()`, isPlanned: true });
  const joined = ruleId === null ? null : await joinMissed(tx, companyId, ruleId, draftId, lastAt);
  const details = { ...asDetails(due, joined?.leavesAt ?? lastAt), leftOut: joined?.leftOut || undefined };
  await recordAudit(tx, { companyId, kind: 'system' }, 'plan.miss', details);
}

const reconciliation = makeReconciliation(2000, sendDue, 'planned sends could not be looked for');

/** Sends what is due: now, unless this process does so already; every 2 s; no more, after what is being sent. */
export const { run: sendDueInTurn, start: startPlannedSends, stop: stopPlannedSends } = reconciliation;
