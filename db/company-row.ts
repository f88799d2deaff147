import { db, hasNotifyRoom, type Transaction } from '#db/client.ts';
import { eq, sql } from '#db/drizzle.cjs';
import { companies } from '#db/schema/tables.ts';

type Company = { companyId: number };

/**
 * Increases the company's `accessNo`, so that all processes check their cached sessions. Call it first in a transaction
 * that may end a session: its lock of the company's row precedes all others.
 */
export async function announceAccessChange(tx: Transaction, { companyId }: Company): Promise<void> {
  await db(tx)
    .update(companies)
    .set({ accessNo: sql`${companies.accessNo} + 1` })
    .where(eq(companies.id, companyId));
  await db(tx).execute(sql`select pg_notify('access', ${String(companyId)}) where ${hasNotifyRoom}`);
}

/** Locks the company's row. Take it before any other lock: then two transactions of one company cannot deadlock. */
export async function lockCompanyRow(tx: Transaction, { companyId }: Company): Promise<void> {
  await db(tx).select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update');
}
