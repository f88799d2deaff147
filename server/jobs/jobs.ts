import { databaseUrl } from '#platform/config/database.ts';
import { processWide } from '#platform/config/process-wide.ts';
import { env } from '#platform/config/settings.ts';
import { startHourlyJobs } from '#server/jobs/hourly-jobs.ts';
import { startAlarmPushes, stopAlarmPushes } from '#server/push/alarm-pushes.ts';
import { startPlannedSends, stopPlannedSends } from '#server/sends/planned/due-sends.ts';

// Next starts the jobs from the bundle of the pages; the shutdown of `npm start` stops them.
const jobs = processWide('jobs', (): { stop?: () => Promise<void> } => ({}));

/** Starts the work that nobody asks for, in every process: leases and locks give each piece to one. */
export function startJobs(): void {
  if (jobs.stop) return;
  env();
  databaseUrl();
  startPlannedSends();
  startAlarmPushes();
  startHourlyJobs();
  jobs.stop = async () => {
    await Promise.all([stopPlannedSends(), stopAlarmPushes()]);
  };
}

/** Stops the jobs of this process. Waits for sends that are leaving, and up to 3 s for running pushes. */
export async function stopJobs(): Promise<void> {
  await jobs.stop?.();
}
