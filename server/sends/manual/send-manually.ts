import { db, findRow, matches, type Rows } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/company-row.ts';
import { alias, and, eq, gt, isNull, max, sql } from '#db/drizzle.cjs';
import { notifications } from '#db/schema/tables.ts';
import { announce } from '#db/wake-ups.ts';
import { e, fromRecipients, n, type Recipients, r, type SentTo, sentTo } from '#server/notifications/audience.ts';
import { textFields } from '#server/notifications/shown.ts';
import type { Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { isQueued, type ManualDraft } from '#server/sends/drafts.ts';
import { attachPicture } from '#server/sends/pictures/pictures.ts';
import { afterSend, type PersonsText, type StoredSend, storeByPerson } from '#server/sends/store.ts';

/** A manual send. `skipped`: how many more were inactive; null for a send to everyone or to one person. */
type SentManually = Pick<Rows['notifications'], 'no' | 'reach' | 'skipped'>;

/**
 * Sends a notification. A second submit of the `draftId` only returns the first result. `'not-in-company'`: a recipient
 * is not there, or nobody has one of the roles. `'waits'`: the draft is a plan or was undone.
 */
export async function sendManually(
  manager: Manager,
  draft: ManualDraft,
): Promise<SentManually | 'not-in-company' | 'waits'> {
  const result = await withManager(manager, async (tx) =>
    (await isQueued(tx, manager, draft.draftId)) ? 'waits' : insertManualSend(tx, manager, draft),
  );
  if (typeof result === 'string') return result;
  if ('hasDevices' in result) afterSend(manager, draft.recipients, result);
  return { no: result.no, reach: result.reach, skipped: result.skipped };
}

/**
 * Stores a manual send in a transaction that holds the company's row. A result without `hasDevices` is of an earlier
 * send of the draft; otherwise call `afterSend` after the commit.
 */
export async function insertManualSend(
  tx: PersonTransaction,
  manager: Manager,
  draft: ManualDraft,
): Promise<StoredSend | SentManually | 'not-in-company'> {
  const { companyId } = manager;
  const stored = await storeByPerson(tx, manager, draft);
  if (stored && draft.picture) await attachPicture(tx, manager, draft.draftId, draft.picture);
  if (stored) return stored;
  const [earlier] = await db(tx)
    .select({ no: notifications.no, reach: notifications.reach, skipped: notifications.skipped })
    .from(notifications)
    .where(matches(notifications, { companyId, draftId: draft.draftId }));
  return earlier ?? 'not-in-company';
}

const reminderEveryMinutes = 10;

/** Why no reminder was sent. `retryAt`: when the next one is allowed. */
export type NotReminded = 'no-such-notification' | 'nobody-left' | { retryAt: Date };

/**
 * Reminds all recipients who have not confirmed a notification, or only `employeeId`, by a notification of `reach`
 * active recipients. `'no-such-notification'`: the original was withdrawn or requires nothing.
 */
export async function remind(manager: Manager, no: number, employeeId: number | null) {
  const candidates = await listUnconfirmed(manager, no, employeeId);
  const reminder = { no, employeeId, draftId: null };
  const outcome = await withManager(manager, (tx) => insertReminder(tx, manager, reminder, candidates));
  if (typeof outcome === 'string' || 'retryAt' in outcome) return outcome;
  announce(manager.companyId);
  pushToDevices(manager, outcome.no);
  return { no: outcome.no, reach: outcome.reach };
}

/** Stores a reminder, as `remind`. `candidates` are those of `listUnconfirmed`, from before the transaction. */
export async function insertReminder(
  tx: PersonTransaction,
  manager: Manager,
  { no, employeeId, draftId }: { no: number; employeeId: number | null; draftId: string | null },
  candidates: number[],
): Promise<StoredSend | NotReminded> {
  const reminder = await findReminder(tx, manager, no, candidates);
  if (!('people' in reminder)) return reminder.reason;
  const { recipients, text, people } = reminder;
  const stored = await storeByPerson(tx, manager, {
    ...text,
    recipients: employeeId === null ? asRecipients(recipients, people) : { to: 'one', employeeId },
    draftId,
    mustConfirm: false,
    reminds: { no, reach: people.length },
  });
  return stored ?? 'no-such-notification';
}

/** The text of a reminder and the people it is for, or the reason why it is not possible now. */
export async function findReminder(
  tx: PersonTransaction,
  manager: Manager,
  no: number,
  candidates: number[],
): Promise<{ text: PersonsText; recipients: SentTo; people: number[] } | { reason: NotReminded }> {
  // The original's lock keeps confirmations out until the commit.
  const original = await lockOriginal(tx, manager, no);
  if (!original) return { reason: 'no-such-notification' };
  const { recipients, lastReminderAt, ...text } = original;
  if (lastReminderAt)
    return { reason: { retryAt: new Date(lastReminderAt.getTime() + reminderEveryMinutes * 60_000) } };
  const people = await findUnconfirmed(tx, manager, no, candidates);
  return people.length === 0 ? { reason: 'nobody-left' } : { text, recipients, people };
}

async function lockOriginal(tx: PersonTransaction, { companyId }: Manager, no: number) {
  const reminder = alias(notifications, 'reminder');
  const isRecent = sql`${reminder.createdAt} > clock_timestamp() - make_interval(mins => ${reminderEveryMinutes})`;
  const ofIt = and(matches(reminder, { companyId, remindsNo: no }), isRecent);
  const at = max(reminder.createdAt);
  const lastReminderAt = sql<Date | null>`${db(tx).select({ at }).from(reminder).where(ofIt)}`;
  return findRow(
    db(tx)
      .select({ ...textFields, answers: n.answers, recipients: sentTo, lastReminderAt })
      .from(n)
      .where(and(eq(n.companyId, companyId), eq(n.no, no), n.mustConfirm, isNull(n.withdrawnAt), gt(n.reach, 0)))
      .for('no key update'),
  );
}

/**
 * The recipients, active or not, who have not confirmed a notification, or only `employeeId`. Call it before the lock
 * that all sends wait for: recipients never change and confirmations are final, so this list can only shrink.
 */
export async function listUnconfirmed(
  { companyId }: Pick<Manager, 'companyId'>,
  no: number,
  employeeId: number | null,
): Promise<number[]> {
  const ofSend = and(eq(n.companyId, companyId), eq(n.no, no), employeeId === null ? undefined : eq(e.id, employeeId));
  const ids = sql<number[]>`coalesce(array_agg(${e.id} order by ${e.id}), '{}')`;
  const query = fromRecipients(db().select({ ids }).from(n).$dynamic(), and(ofSend, isNull(r.confirmedAt)));
  return (await findRow(query))?.ids ?? [];
}

// Of the candidates, those who are active and have not confirmed it meanwhile. It reads the
// inactive employees instead of all candidates: they are few, and an index has them.
async function findUnconfirmed(tx: PersonTransaction, { companyId }: Manager, no: number, candidates: number[]) {
  // As text: the builder has no `except all` over a list.
  const [row] = await db(tx).execute<{ ids: number[] }>(sql`
    select coalesce(array_agg(id order by id), '{}') as ids from (
      select id from unnest(${sql.param(candidates)}::int[]) as candidate (id)
      except all select employee_id from receipts
        where company_id = ${companyId} and no = ${no} and confirmed_at is not null
      except all select id from employees where company_id = ${companyId} and not active
    ) people`);
  return row?.ids ?? [];
}

// Roles change, so a reminder of a send to roles is to those people of its list who have not confirmed.
const asRecipients = (recipients: SentTo, people: number[]): Recipients =>
  recipients.to === 'everyone' || recipients.to === 'one' ? recipients : { to: 'people', employeeIds: people };
