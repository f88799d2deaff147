import { db, isAnyOf, matches } from '#db/client.ts';
import { and, exists, or, sql } from '#db/drizzle.cjs';
import { asManager, asOwner, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type AlarmSource, a, isAbout, isRepeat, newestOfSender } from '#server/keys/alarms.ts';
import { employeeIdOf, n, sentTo } from '#server/notifications/audience.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { takeNo } from '#server/sends/history/correct.ts';
import { deletePictures } from '#server/sends/pictures/pictures.ts';

/**
 * Withdraws a notification and its reminders: they leave inboxes, counts, feeds, open portals,
 * devices and the queue of pushes. The owner's list shows them as withdrawn. The withdrawal takes a
 * number of the company, so that portals receive it like a send.
 */
export async function withdrawNotification(
  manager: Manager,
  no: number,
): Promise<'withdrawn' | 'no-such-notification'> {
  const { companyId } = manager;
  const withdrawn = await asManager(manager, async (tx) => {
    const rows = await withdrawAll(tx, manager, [no]);
    const original = rows.find((row) => row.no === no);
    if (!original) return 'no-such-notification';
    const { title, recipients } = original;
    await recordAudit(tx, manager, 'notification.withdraw', { no, title, employeeId: employeeIdOf(recipients) });
    return rows.map((row) => row.no);
  });
  if (typeof withdrawn === 'string') return withdrawn;
  announce(companyId);
  pushToDevices(manager, no, { withdrawn });
  return 'withdrawn';
}

// Withdraws the chosen sends, if one of them stands, and their reminders. They take one number.
async function withdrawAll(tx: PersonTransaction, manager: Manager, chosen: number[]) {
  const { companyId } = manager;
  const isStanding = matches(n, { companyId, withdrawnAt: null });
  const isChosen = and(isStanding, isAnyOf(n.no, chosen));
  const company = takeNo(tx, manager, exists(db(tx).select({ no: n.no }).from(n).where(isChosen)));
  const rows = await db(tx)
    .with(company)
    .update(n)
    .set({ withdrawnAt: sql`now()`, withdrawalNo: company.lastNo })
    .from(company)
    .where(and(isStanding, or(isAnyOf(n.no, chosen), isAnyOf(n.remindsNo, chosen))))
    .returning({ no: n.no, title: n.title, remindsNo: n.remindsNo, recipients: sentTo });
  const numbers = rows.map(({ no }) => no);
  await deletePictures(tx, companyId, numbers);
  return rows;
}

/**
 * Withdraws all sends that the open alarm of a key or person is about: the same text to everyone again and
 * again. Returns how many; 0 when there is no such alarm or nothing is left to withdraw.
 */
export async function withdrawRepeats(owner: Owner, source: AlarmSource): Promise<number> {
  const { companyId } = owner;
  const withdrawn = await asOwner(owner, async (tx) => {
    // As text: the sends of an alarm are a union of laterals.
    const repeats = await db(tx).execute<Pick<Rows['notifications'], 'no'>>(sql`
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
    const numbers = withdrawn.map(({ no }) => no);
    // All were to everyone.
    pushToDevices(owner, newest.no, { withdrawn: numbers });
  }
  return withdrawn.length;
}
