import type { Transaction } from '#db/client.ts';
import { hasNotifyRoom } from '#db/notify.ts';

type Company = { companyId: number };

/**
 * Raises the company's `accessNo` and tells every process that a session of it may end with this
 * transaction; each process then checks its cached sessions (`server/feed`). Call it first in the
 * transaction: it locks the company's row, and that lock comes before all others.
 */
export async function announceAccessChange(tx: Transaction, { companyId }: Company): Promise<void> {
  await tx`update companies set access_no = access_no + 1 where id = ${companyId}`;
  await tx`select pg_notify('access', ${String(companyId)}) where ${hasNotifyRoom()}`;
}

/**
 * Locks the company's row until the transaction ends. Take it before any other lock, so that two
 * transactions on rows of one company cannot deadlock. Foreign keys to the company do not wait for it.
 */
export async function lockCompanyRow(tx: Transaction, { companyId }: Company): Promise<void> {
  await tx`select from companies where id = ${companyId} for no key update`;
}
