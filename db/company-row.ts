import { eq, sql as expression } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { companies } from '#db/schema.ts';

/**
 * Says that somebody's session may end with this transaction, so that every process asks anew who is signed in
 * (`server/feed`). Comes first in its transaction: the company's row is locked before any other.
 */
export async function noteAccessChange(database: Database, { companyId }: { companyId: number }): Promise<void> {
  await database
    .update(companies)
    .set({ accessNo: expression`${companies.accessNo} + 1` })
    .where(eq(companies.id, companyId));
  // Without room for it this would undo the change; the sweep finds it within 2 s.
  await database.execute(expression`
    select pg_notify('access', ${String(companyId)}) where pg_notification_queue_usage() < 0.9`);
}

/**
 * Takes the company's one lock, before any other: whoever changes several of its rows takes them in the same order then. Foreign
 * keys to the company do not wait for it.
 */
export async function lockCompanyRow(database: Database, { companyId }: { companyId: number }): Promise<void> {
  await database.execute(expression`select from companies where id = ${companyId} for no key update`);
}
