import type { Command } from '#server/command/command.ts';

const people = () => import('#server/command/people.ts');

/**
 * All commands by name, in the order of the help. Each is loaded only when it is used, because some
 * load the whole service.
 */
export const commands: Record<string, () => Promise<{ command: Command }>> = {
  start: () => import('#server/command/start.ts'),
  migrate: () => import('#server/command/migrate.ts'),
  doctor: () => import('#server/command/doctor.ts'),
  status: () => import('#server/command/status.ts'),
  'company list': async () => ({ command: (await people()).companyList }),
  'owner list': async () => ({ command: (await people()).ownerList }),
  'owner add': async () => ({ command: (await people()).ownerAdd }),
  'owner reset': async () => ({ command: (await people()).ownerReset }),
  'sessions end': async () => ({ command: (await people()).sessionsEnd }),
};
