import type { Command } from '#server/command/command.ts';

/**
 * All commands by name, in the order of the help. Each is loaded only when it is used, because some
 * load the whole service.
 */
export const commands: Record<string, () => Promise<{ command: Command }>> = {
  start: () => import('#server/command/start.ts'),
  migrate: () => import('#server/command/migrate.ts'),
  partition: () => import('#server/command/partition.ts'),
  doctor: () => import('#server/command/doctor.ts'),
  status: () => import('#server/command/status.ts'),
  backup: () => import('#server/command/backup.ts'),
  restore: () => import('#server/command/restore.ts'),
  move: () => import('#server/command/move.ts'),
  'company list': () => import('#server/command/company-list.ts'),
  'owner list': () => import('#server/command/owner-list.ts'),
  'owner add': () => import('#server/command/owner-add.ts'),
  'owner reset': () => import('#server/command/owner-reset.ts'),
  'sessions end': () => import('#server/command/sessions-end.ts'),
};

/** Former names, for one version. */
export const formerNames: Record<string, string> = { 'sign-in-link': 'owner reset' };
