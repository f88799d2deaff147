/** The ids of all advisory locks: `pg_advisory_xact_lock(id)` for the database, `(id, companyId)` for each company. */
export const advisoryLocks = {
  migration: 7_236_021,
  setUp: 7_236_022,
  exportJob: 7_236_024,
  roles: 7_236_026,
  hourlyJobs: 7_236_027,
} as const;
