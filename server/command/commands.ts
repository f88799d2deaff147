import type { Command } from '#server/command/command.ts';

const start: Command = {
  words: [],
  about: 'Start the service and serve until it is stopped.',
  details: [
    'It migrates the database and waits until it is reachable. Without DATABASE_URL it starts a trial.\nSIGTERM and Ctrl-C stop it. docs/operations.md says how several processes share the work.',
  ],
  run: async () => {
    process.argv.splice(2);
    await import('#server/runtime/start.ts');
    return null;
  },
};

const people = () => import('#server/command/people.ts');

/** All commands in the order of the help. Loaded on use: some load the whole service. */
export const commands: Record<string, () => Promise<{ command: Command }>> = {
  start: async () => ({ command: start }),
  migrate: () => import('#server/command/run-migrations.ts'),
  doctor: () => import('#server/command/doctor.ts'),
  'company list': async () => ({ command: (await people()).companyList }),
  'owner list': async () => ({ command: (await people()).ownerList }),
  'owner add': async () => ({ command: (await people()).ownerAdd }),
  'owner reset': async () => ({ command: (await people()).ownerReset }),
  'provider move': async () => ({ command: (await people()).providerMove }),
  'sessions end': async () => ({ command: (await people()).sessionsEnd }),
};
