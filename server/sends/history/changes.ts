import { db, isAnyOf, type Rows } from '#db/client.ts';
import { type PersonTransaction, withManager, withOwner } from '#db/company-row.ts';
import { and, eq, exists, isNotNull, isNull, or, type PgUpdateSetSource, type SQL, sql } from '#db/drizzle.cjs';
import { companies } from '#db/schema/tables.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type AlarmSource, a, isAbout, isRepeat, newestOfSender } from '#server/keys/alarms.ts';
import { employeeIdOf, n, sentTo } from '#server/notifications/audience.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { deletePictures } from '#server/sends/pictures/pictures.ts';

// Changes the chosen sends that were not withdrawn, and their reminders, if one of the chosen `isChangeable`. They take
// the next number of the company, so that portals receive the change like a send.
async function changeSends(
  tx: PersonTransaction,
  { companyId }: Manager,
  chosen: number[],
  column: 'withdrawalNo' | 'correctionNo',
  values: PgUpdateSetSource<typeof n>,
  isChangeable?: SQL,
) {
  const isStanding = and(eq(n.companyId, companyId), isNull(n.withdrawnAt));
  const isChosen = and(isStanding, isAnyOf(n.no, chosen), isChangeable);
  const hasChosen = exists(db(tx).select({ no: n.no }).from(n).where(isChosen));
  const lastNo = sql`${companies.lastNo} + 1`;
  const isCompany = and(eq(companies.id, companyId), hasChosen);
  const taken = db(tx).update(companies).set({ lastNo }).where(isCompany).returning({ lastNo: companies.lastNo });
  const company = db(tx).$with('company').as(taken);
  return db(tx)
    .with(company)
    .update(n)
    .set({ ...values, [column]: company.lastNo })
    .from(company)
    .where(and(isStanding, or(isAnyOf(n.no, chosen), isAnyOf(n.remindsNo, chosen))))
    .returning({ no: n.no, title: n.title, remindsNo: n.remindsNo, recipients: sentTo });
}

/** Withdraws a notification and its reminders from inboxes, counts, portals and devices, not from owners' lists. */
export async function withdrawNotification(
  manager: Manager,
  no: number,
): Promise<'withdrawn' | 'no-such-notification'> {
  const withdrawn = await withManager(manager, async (tx) => {
    const rows = await withdrawAll(tx, manager, [no]);
    const original = rows.find((row) => row.no === no);
    if (!original) return null;
    const { title, recipients } = original;
    await recordAudit(tx, manager, 'notification.withdraw', { no, title, employeeId: employeeIdOf(recipients) });
    return rows.map((row) => row.no);
  });
  if (!withdrawn) return 'no-such-notification';
  announce(manager.companyId);
  pushToDevices(manager, no, { withdrawn });
  return 'withdrawn';
}

async function withdrawAll(tx: PersonTransaction, manager: Manager, chosen: number[]) {
  const rows = await changeSends(tx, manager, chosen, 'withdrawalNo', { withdrawnAt: sql`now()` });
  const numbers = rows.map(({ no }) => no);
  await deletePictures(tx, manager.companyId, numbers);
  return rows;
}

/** Withdraws all sends that the open alarm of a key or person is about. Returns how many; 0 without such an alarm. */
export async function withdrawRepeats(owner: Owner, source: AlarmSource): Promise<number> {
  const { companyId } = owner;
  const withdrawn = await withOwner(owner, async (tx) => {
    // As text: the sends of an alarm are a union of laterals.
    const repeats = await db(tx).execute<{ no: number }>(sql`
      select n.no from alarms a cross join lateral ${newestOfSender}
      where a.company_id = ${companyId} and ${isAbout(source, a)} and a.kind = 'repeated-broadcast'
        and a.dismissed_at is null and ${isRepeat}`);
    const chosen = repeats.map(({ no }) => no);
    const rows = await withdrawAll(tx, owner, chosen);
    const details = rows.map(({ no, title }) => ({ no, title }));
    await recordAudit(tx, owner, 'notification.withdraw', details);
    return rows.toSorted((row, other) => row.no - other.no);
  });
  const newest = withdrawn.findLast(({ remindsNo }) => remindsNo === null);
  if (newest) {
    announce(companyId);
    // All were to everyone.
    pushToDevices(owner, newest.no, { withdrawn: withdrawn.map(({ no }) => no) });
  }
  return withdrawn.length;
}

const correctableMinutes = 10;

/** A condition over `notifications n`: its text can still be corrected. */
export const isCorrectable = sql<boolean>`
  (${n.accountId} is not null and ${n.remindsNo} is null and ${n.withdrawnAt} is null
    and ${n.createdAt} > clock_timestamp() - make_interval(mins => ${correctableMinutes}))`;

/**
 * Corrects title, text and link of a manual send and of its reminders. Portals and devices replace the text without
 * ringing; it stays read. It says who corrected it, unless that is its sender. `'too-late'` after `correctableMinutes`;
 * `'no-such-notification'`: withdrawn or of a key.
 */
export async function correctNotification(
  manager: Manager,
  no: number,
  { title, body, url }: Pick<Rows['notifications'], 'title' | 'body' | 'url'>,
): Promise<'corrected' | 'unchanged' | 'too-late' | 'no-such-notification'> {
  const { companyId, accountId } = manager;
  const corrected = await withManager(manager, async (tx) => {
    const isManual = and(isNotNull(n.accountId), isNull(n.remindsNo), isNull(n.withdrawnAt));
    const [original] = await db(tx)
      .select({ title: n.title, body: n.body, url: n.url, isOpen: isCorrectable })
      .from(n)
      .where(and(eq(n.companyId, companyId), eq(n.no, no), isManual))
      .for('no key update');
    if (!original) return 'no-such-notification';
    const { isOpen, ...was } = original;
    if (!isOpen) return 'too-late';
    if (was.title === title && was.body === body && was.url === url) return 'unchanged';
    // Not now(): a confirmation that this transaction waited for is of the former text.
    const correctedAt = sql`clock_timestamp()`;
    const values = { title, body, url, correctedAt, correctedBy: accountId };
    const rows = await changeSends(tx, manager, [no], 'correctionNo', values);
    await recordAudit(tx, manager, 'notification.correct', { no, title, body, url, was });
    return rows.map((row) => row.no);
  });
  if (typeof corrected === 'string') return corrected;
  announce(companyId);
  for (const correctedNo of corrected) pushToDevices(manager, correctedNo, 'correction');
  return 'corrected';
}

/** Closes a question: nobody gives or changes an answer any more, nobody is reminded, portals take the buttons away. */
export async function closeQuestion(manager: Manager, no: number): Promise<'closed' | 'no-such-question'> {
  const isOpen = and(isNotNull(n.answers), isNull(n.closedAt), n.mustConfirm);
  const isClosed = await withManager(manager, async (tx) => {
    const closed = { mustConfirm: false, closedAt: sql`clock_timestamp()` };
    const rows = await changeSends(tx, manager, [no], 'correctionNo', closed, isOpen);
    const question = rows.find((row) => row.no === no);
    if (question) await recordAudit(tx, manager, 'notification.close', { no, title: question.title });
    return question !== undefined;
  });
  if (!isClosed) return 'no-such-question';
  announce(manager.companyId);
  return 'closed';
}
