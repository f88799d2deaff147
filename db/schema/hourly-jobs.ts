import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { timestampTz } from '#db/schema/columns.ts';

/**
 * When each hourly job last ended, and who runs it now. All machines share these rows, so that a
 * job runs once an hour in the whole deployment. `runner` is a process; it renews `leaseUntil`
 * while it works. After `leaseUntil` another process may take the job.
 */
export const hourlyJobs = pgTable('hourly_jobs', {
  name: text().primaryKey(),
  runner: uuid(),
  leaseUntil: timestampTz(),
  endedAt: timestampTz().notNull(),
});
