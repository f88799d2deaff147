/**
 * The ids of all advisory locks, one for each purpose. `pg_advisory_xact_lock(id)` is one lock for
 * the whole database, `pg_advisory_xact_lock(id, companyId)` one for each company.
 */
export const advisoryLocks = {
  migration: 7_236_021,
  setUp: 7_236_022,
  expiredRows: 7_236_023,
  exportJob: 7_236_024,
  exportRequest: 7_236_025,
  roles: 7_236_026,
  hourlyJobs: 7_236_027,
} as const;
