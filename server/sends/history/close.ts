import { db } from '#db/client.ts';
import { and, eq, exists, isNotNull, isNull, or, sql } from '#db/drizzle.cjs';
import { asManager } from '#db/person-transaction.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import { n } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { takeNo } from '#server/sends/history/correct.ts';

/**
 * Closes a question: nobody gives or changes an answer from now on, and nobody is reminded. Answers stay. It takes a
 * number as a correction does, so that open portals take the buttons away.
 */
export async function closeQuestion(manager: Manager, no: number): Promise<'closed' | 'no-such-question'> {
  const { companyId } = manager;
  const isOpen = and(eq(n.companyId, companyId), isNotNull(n.answers), isNull(n.closedAt), isNull(n.withdrawnAt));
  const isClosed = await asManager(manager, async (tx) => {
    const isChosen = and(isOpen, eq(n.no, no), n.mustConfirm);
    const company = takeNo(tx, manager, exists(db(tx).select({ no: n.no }).from(n).where(isChosen)));
    const rows = await db(tx)
      .with(company)
      .update(n)
      .set({ mustConfirm: false, closedAt: sql`clock_timestamp()`, correctionNo: company.lastNo })
      .from(company)
      .where(and(isOpen, or(eq(n.no, no), eq(n.remindsNo, no))))
      .returning({ no: n.no, title: n.title });
    const question = rows.find((row) => row.no === no);
    if (question) await recordAudit(tx, manager, 'notification.close', question);
    return question !== undefined;
  });
  if (!isClosed) return 'no-such-question';
  announce(companyId);
  return 'closed';
}
