import { asFragment, type Fragment, sql } from '#db/client.ts';
import { asManager, asOwner, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { type AlarmSource, a, isAbout, isRepeat, newestOfSender } from '#server/keys/alarms.ts';
import { employeeIdOf, type SentTo, sentToColumn } from '#server/notifications/audience.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';
import { deletePictures } from '#server/sends/pictures/pictures.ts';

type WithdrawnRow = Pick<Rows['notifications'], 'no' | 'title' | 'remindsNo'> & { recipients: SentTo };

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
    const rows = await withdrawAll(
      tx,
      manager,
      sql()`select no from notifications where company_id = ${companyId} and no = ${no} and withdrawn_at is null`,
    );
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

// Withdraws the chosen sends that stand, and their reminders. They take one number, if there are any.
async function withdrawAll(tx: PersonTransaction, { companyId }: Manager, chosen: Fragment): Promise<WithdrawnRow[]> {
  const rows = await tx<WithdrawnRow[]>`
    with chosen as materialized (${chosen}), company as (
      update companies set last_no = last_no + 1 where id = ${companyId} and exists (select from chosen)
      returning last_no
    )
    update notifications n set withdrawn_at = now(), withdrawal_no = company.last_no from company
    where n.company_id = ${companyId} and n.withdrawn_at is null
      and (n.no = any(array(select no from chosen)) or n.reminds_no = any(array(select no from chosen)))
    returning n.no, n.title, n.reminds_no as "remindsNo", ${sentToColumn()}`;
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
    const repeats = sql()`
      select n.no from alarms a cross join lateral ${newestOfSender()}
      where a.company_id = ${companyId} and ${asFragment(isAbout(source, a))} and a.kind = 'repeated-broadcast'
        and a.dismissed_at is null and ${isRepeat()}`;
    const rows = await withdrawAll(tx, owner, repeats);
    const details = rows.map(({ no, title }) => ({ no, title }));
    await recordAudits(tx, owner, 'notification.withdraw', details);
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
