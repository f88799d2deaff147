import { db } from '#db/client.ts';
import { and, eq, isNotNull, isNull, or, type SQL, sql } from '#db/drizzle.cjs';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { companies } from '#db/schema/tables.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import { n } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';

const correctableMinutes = 10;

/** What a correction replaces. The recipients stay. */
type Correction = Pick<Rows['notifications'], 'title' | 'body' | 'url'>;

/** A condition over `notifications n`: its text can still be corrected. */
export const isCorrectable = sql<boolean>`
  (${n.accountId} is not null and ${n.remindsNo} is null and ${n.withdrawnAt} is null
    and ${n.createdAt} > clock_timestamp() - make_interval(mins => ${correctableMinutes}))`;

/** The next number of the company, taken if `condition` holds, as a part of a statement. */
export function takeNo(tx: PersonTransaction, { companyId }: Manager, condition?: SQL) {
  const lastNo = sql`${companies.lastNo} + 1`;
  const taken = db(tx)
    .update(companies)
    .set({ lastNo })
    .where(and(eq(companies.id, companyId), condition));
  return db(tx)
    .$with('company')
    .as(taken.returning({ lastNo: companies.lastNo }));
}

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
    const isManual = and(isNotNull(n.accountId), isNull(n.remindsNo), isNull(n.withdrawnAt));
    const [original] = await db(tx)
      .select({ title: n.title, body: n.body, url: n.url, isOpen: isCorrectable })
      .from(n)
      .where(and(eq(n.companyId, companyId), eq(n.no, no), isManual))
      .for('no key update');
    if (!original) return 'no-such-notification';
    if (!original.isOpen) return 'too-late';
    if (original.title === title && original.body === body && original.url === url) return 'unchanged';
    // Not now(): a confirmation that this transaction waited for is of the former text.
    const correctedAt = sql`clock_timestamp()`;
    const company = takeNo(tx, manager);
    const rows = await db(tx)
      .with(company)
      .update(n)
      .set({ title, body, url, correctedAt, correctedBy: accountId, correctionNo: company.lastNo })
      .from(company)
      .where(and(eq(n.companyId, companyId), or(eq(n.no, no), eq(n.remindsNo, no)), isNull(n.withdrawnAt)))
      .returning({ no: n.no });
    const was = { title: original.title, body: original.body, url: original.url };
    await recordAudit(tx, manager, 'notification.correct', { no, title, body, url, was });
    return rows.map((row) => row.no);
  });
  if (typeof corrected === 'string') return corrected;
  announce(companyId);
  for (const correctedNo of corrected) pushToDevices(manager, correctedNo, 'correction');
  return 'corrected';
}
