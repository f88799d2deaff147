import { db } from '#db/client.ts';
import { and, count, desc, eq, gt, inArray, isNull } from '#db/drizzle.cjs';
import { notifications } from '#db/schema/tables.ts';
import { e, fromRecipients, n, r } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';

// Sends to several people come first: of those to one person, a month of salaries has hundreds.
const maxExamined = 300;

/** Lists the sends, or the one with number `only`, that active people have still to confirm, most of them first. */
export function listUnconfirmedSends({ companyId }: Manager, only?: number) {
  const { no, recipientId, mustConfirm, withdrawnAt, reach } = notifications;
  const asked = db()
    .select({ no })
    .from(notifications)
    .where(
      and(
        eq(notifications.companyId, companyId),
        only === undefined ? undefined : eq(no, only),
        mustConfirm,
        isNull(withdrawnAt),
        gt(reach, 0),
      ),
    )
    .orderBy(desc(isNull(recipientId)), desc(no))
    .limit(maxExamined);
  const isMissing = and(eq(n.companyId, companyId), inArray(n.no, asked), e.active, isNull(r.confirmedAt));
  const missing = count();
  return fromRecipients(db().select({ no: n.no, title: n.title, missing }).from(n).$dynamic(), isMissing)
    .groupBy(n.no, n.title)
    .orderBy(desc(missing), desc(n.no));
}
