import { deletions } from '#server/jobs/hourly-jobs.ts';

/** Deletes all expired rows, as the hourly jobs do. */
export async function deleteExpired(): Promise<void> {
  for (const job of deletions.values()) await job();
}
