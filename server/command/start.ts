import type { Command } from '#server/command/command.ts';

/** `notif start`: the same as `npm start`. */
export const command: Command = {
  words: [],
  about: 'Start the service and serve until it is stopped.',
  details: [
    'It migrates the database and waits until it is reachable. Without DATABASE_URL it starts a trial. SIGTERM and\nCtrl-C stop it; SIGHUP replaces its processes when there are several.',
  ],
  options: { processes: { value: 'N', description: 'number of processes that answer requests; overrides PROCESSES' } },
  run: async ({ values }) => {
    const processes = values.get('processes');
    // The start reads its flags from here.
    process.argv.splice(2, Number.POSITIVE_INFINITY, ...(processes === undefined ? [] : ['--processes', processes]));
    await import('#server/runtime/start.ts');
    return null;
  },
};
