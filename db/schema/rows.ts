import type { accounts, sessions, signInFailures, signInGuesses } from '#db/schema/accounts.ts';
import type { auditLog } from '#db/schema/audit-log.ts';
import type { buildFiles } from '#db/schema/build-files.ts';
import type { companies } from '#db/schema/companies.ts';
import type { companyLogos } from '#db/schema/company-logos.ts';
import type { exportParts, exports, imports } from '#db/schema/copies.ts';
import type { employees, employment, invitations } from '#db/schema/employees.ts';
import type { hourlyJobs } from '#db/schema/hourly-jobs.ts';
import type { joinLinks, joinRequests } from '#db/schema/joins.ts';
import type { alarms, keyTraffic, keyUses, refusalCounts, refusals } from '#db/schema/key-calls.ts';
import type { apiKeys, idempotency, keyUsage } from '#db/schema/keys.ts';
import type {
  notificationPeople,
  notificationRoles,
  notifications,
  readMarks,
  receipts,
} from '#db/schema/notifications.ts';
import type { plannedSends, sendRules, sendTemplates } from '#db/schema/planned-sends.ts';
import type { ownerDevices, portals, preferences, pushSubscriptions } from '#db/schema/portals.ts';
import type { sendStatistics } from '#db/schema/statistics.ts';

/**
 * The row of each table, with the names and types of its columns. A query takes the types of what
 * it selects from here: `Pick<Rows['employees'], 'id' | 'name'>`. So a renamed or changed column
 * fails the type check wherever it is read. Only types: loading drizzle would take 0.4 s at each
 * start.
 */
export type Rows = {
  accounts: typeof accounts.$inferSelect;
  sessions: typeof sessions.$inferSelect;
  signInFailures: typeof signInFailures.$inferSelect;
  signInGuesses: typeof signInGuesses.$inferSelect;
  auditLog: typeof auditLog.$inferSelect;
  buildFiles: typeof buildFiles.$inferSelect;
  companies: typeof companies.$inferSelect;
  companyLogos: typeof companyLogos.$inferSelect;
  imports: typeof imports.$inferSelect;
  exports: typeof exports.$inferSelect;
  exportParts: typeof exportParts.$inferSelect;
  employees: typeof employees.$inferSelect;
  employment: typeof employment.$inferSelect;
  invitations: typeof invitations.$inferSelect;
  hourlyJobs: typeof hourlyJobs.$inferSelect;
  joinLinks: typeof joinLinks.$inferSelect;
  joinRequests: typeof joinRequests.$inferSelect;
  keyUses: typeof keyUses.$inferSelect;
  keyTraffic: typeof keyTraffic.$inferSelect;
  refusals: typeof refusals.$inferSelect;
  refusalCounts: typeof refusalCounts.$inferSelect;
  alarms: typeof alarms.$inferSelect;
  apiKeys: typeof apiKeys.$inferSelect;
  keyUsage: typeof keyUsage.$inferSelect;
  idempotency: typeof idempotency.$inferSelect;
  notifications: typeof notifications.$inferSelect;
  notificationRoles: typeof notificationRoles.$inferSelect;
  notificationPeople: typeof notificationPeople.$inferSelect;
  receipts: typeof receipts.$inferSelect;
  readMarks: typeof readMarks.$inferSelect;
  sendRules: typeof sendRules.$inferSelect;
  plannedSends: typeof plannedSends.$inferSelect;
  sendTemplates: typeof sendTemplates.$inferSelect;
  preferences: typeof preferences.$inferSelect;
  portals: typeof portals.$inferSelect;
  pushSubscriptions: typeof pushSubscriptions.$inferSelect;
  ownerDevices: typeof ownerDevices.$inferSelect;
  sendStatistics: typeof sendStatistics.$inferSelect;
};
