import { resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { databaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
import { programName, silenceLog } from '#platform/config/processes.ts';
import { applyStartSettings, env, type Settings } from '#platform/config/settings.ts';
import { CommandError } from '#server/command/command.ts';
import { findRunningTrial, type Reach } from '#server/runtime/instance-lock.ts';

/** How to reach the database of the settings. Null for a trial that does not run, or is starting. */
export async function findDatabase(settings: Settings): Promise<Reach | null> {
  if (!settings.trial) return { databaseUrl: databaseUrl(), appUrl: settings.APP_URL };
  return findRunningTrial(resolve(settings.DATA_DIR));
}

/** Runs `use` with the database of the settings or the running trial, and closes it. Without either: `CommandError`. */
export async function withDatabase<Result>(use: (appUrl: string) => Promise<Result>): Promise<Result> {
  silenceLog();
  const settings = env();
  takeOwnerUrl();
  const address = await findDatabase(settings);
  if (!address)
    throw new CommandError(
      'no-database',
      `No trial runs in ${resolve(settings.DATA_DIR)}. Start it, or give the settings of the service: \`${programName()} --settings FILE\`.`,
    );
  if (settings.trial) applyStartSettings({ ...address, authSecret: '' });
  try {
    return await use(address.appUrl);
  } finally {
    await disconnect(1);
  }
}
