import { sql } from '#db/client.ts';
import { asManager } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';

const correctableMinutes = 10;

/** What a correction replaces. The recipients stay. */
type Correction = Pick<Rows['notifications'], 'title' | 'body' | 'url'>;

/** A condition over `notifications n`: its text can still be corrected. */
export const isCorrectable = () => sql()`
  (n.account_id is not null and n.reminds_no is null and n.withdrawn_at is null
    and n.created_at > clock_timestamp() - make_interval(mins => ${correctableMinutes}))`;

/**
 * Corrects title, text and link of a manual send and of its reminders. Portals and devices replace
 * the text without ringing; it stays read for those who have read it. The correction takes a number
 * of the company, so that portals receive it like a send. The message says who corrected it, unless
 * that is its sender. The audit log keeps both texts. Returns `'too-late'` after
 * `correctableMinutes`, and `'no-such-notification'` when it was withdrawn or sent by a key.
 */
export async function correctNotification(
  manager: Manager,
  no: number,
  { title, body, url }: Correction,
): Promise<'corrected' | 'unchanged' | 'too-late' | 'no-such-notification'> {
  const { companyId, accountId } = manager;
  const corrected = await asManager(manager, async (tx) => {
    const [original] = await tx<(Correction & { isOpen: boolean })[]>`
      select title, body, url, ${isCorrectable()} as "isOpen"
      from notifications n
      where company_id = ${companyId} and no = ${no} and account_id is not null and reminds_no is null
        and withdrawn_at is null
      for no key update`;
    if (!original) return 'no-such-notification';
    if (!original.isOpen) return 'too-late';
    if (original.title === title && original.body === body && original.url === url) return 'unchanged';
    const rows = await tx<Pick<Rows['notifications'], 'no'>[]>`
      with company as (
        update companies set last_no = last_no + 1 where id = ${companyId} returning last_no
      )
      update notifications n set title = ${title}, body = ${body}, url = ${url}::text, corrected_at = now(),
        corrected_by = ${accountId}, correction_no = company.last_no
      from company
      where n.company_id = ${companyId} and (n.no = ${no} or n.reminds_no = ${no}) and n.withdrawn_at is null
      returning n.no`;
    const was = { title: original.title, body: original.body, url: original.url };
    await recordAudit(tx, manager, 'notification.correct', { no, title, body, url, was });
    return rows.map((row) => row.no);
  });
  if (typeof corrected === 'string') return corrected;
  announce(companyId);
  for (const correctedNo of corrected) pushToDevices(manager, correctedNo, 'correction');
  return 'corrected';
}
