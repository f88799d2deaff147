import { sql as expression } from 'drizzle-orm';
import type { Database, Transaction } from '#db/client.ts';
import { hasNotifyRoom } from '#db/notify.ts';

type Company = { companyId: number };

/**
 * Says that a session of this company may end with this transaction, so that every process checks
 * its signed-in people anew (`server/feed`). Call it first in the transaction: it locks the
 * company's row, and that lock comes before every other.
 */
export async function announceAccessChange(tx: Transaction | Database, { companyId }: Company): Promise<void> {
  if (typeof tx !== 'function') {
    await tx.execute(expression`update companies set access_no = access_no + 1 where id = ${companyId}`);
    await tx.execute(expression`
      select pg_notify('access', ${String(companyId)}) where pg_notification_queue_usage() < 0.9`);
    return;
  }
  await tx`update companies set access_no = access_no + 1 where id = ${companyId}`;
  await tx`select pg_notify('access', ${String(companyId)}) where ${hasNotifyRoom()}`;
}

/**
 * Locks the company's row until the transaction ends. Take it before any other lock, so that two
 * transactions that change several rows of one company never wait for each other in a circle.
 * Foreign keys to the company do not wait for it.
 */
export async function lockCompanyRow(tx: Transaction | Database, { companyId }: Company): Promise<void> {
  if (typeof tx !== 'function') {
    await tx.execute(expression`select from companies where id = ${companyId} for no key update`);
    return;
  }
  await tx`select from companies where id = ${companyId} for no key update`;
}
