/**
 * The ids of all advisory locks, one for each purpose. An id alone locks the whole database; with a
 * company's id as second number (`pg_advisory_xact_lock(id, companyId)`) it locks that company
 * only.
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
