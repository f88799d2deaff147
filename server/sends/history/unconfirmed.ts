import { db, matches } from '#db/client.ts';
import { nullIfUnavailable } from '#db/driver/errors.ts';
import { and, count, desc, eq, gt, inArray, isNull } from '#db/drizzle.cjs';
import { notifications } from '#db/schema/tables.ts';
import { findSettings } from '#server/audit/company-settings.ts';
import { e, fromRecipients, n, r } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { maxExaminedByPeople } from '#server/sends/history/send-list.ts';

/**
 * Lists the sends, or the one with number `only`, that active people have still to confirm, most of them first. Null
 * when the database did not answer in time.
 */
export async function listUnconfirmedSends(manager: Manager, only?: number) {
  const { companyId } = manager;
  const { activeEmployees } = await findSettings(manager, ['activeEmployees']);
  const { no, recipientId, mustConfirm, reach } = notifications;
  const isStanding = matches(notifications, { companyId, withdrawnAt: null, ...(only && { no: only }) });
  const asked = db()
    .select({ no })
    .from(notifications)
    .where(and(isStanding, mustConfirm, gt(reach, 0)))
    // Of those to one person, a month of salaries has hundreds.
    .orderBy(desc(isNull(recipientId)), desc(no))
    .limit(maxExaminedByPeople(activeEmployees));
  const isMissing = and(eq(n.companyId, companyId), inArray(n.no, asked), e.active, isNull(r.confirmedAt));
  const missing = count();
  return fromRecipients(db().select({ no: n.no, title: n.title, missing }).from(n).$dynamic(), isMissing)
    .groupBy(n.no, n.title)
    .orderBy(desc(missing), desc(n.no))
    .catch(nullIfUnavailable);
}
