import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { forgetOwners, ownerUrlOf } from '#db/service-role.ts';
import { databaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
import { programName, silenceLog } from '#platform/config/operations.ts';
import { adopt, env, type Settings } from '#platform/config/settings.ts';
import { CommandError } from '#server/command/command.ts';
import { prepareDatabase } from '#server/runtime/database.ts';
import { findRunningTrial, type Reach } from '#server/runtime/instance-lock.ts';
import { startTrial } from '#server/runtime/trial.ts';

/** What a command may use of the database. `isStopped`: it belongs to a trial that does not run. */
export type OpenDatabase = { appUrl: string; isStopped: boolean };

/** How to reach the database of the settings. Null for a trial that does not run, or is starting. */
export async function findDatabase(settings: Settings): Promise<Reach | null> {
  if (!settings.trial) return { databaseUrl: databaseUrl(), appUrl: settings.APP_URL };
  const running = await findRunningTrial(resolve(settings.DATA_DIR));
  return running === 'starting' ? null : running;
}

/**
 * Runs `use` with the database of the settings, as the service's role, and closes it. Without
 * DATABASE_URL it uses the running trial of DATA_DIR, or starts the trial's database itself and
 * stops it afterwards. Throws `CommandError` when there is no trial.
 */
export async function withDatabase<Result>(use: (open: OpenDatabase) => Promise<Result>): Promise<Result> {
  silenceLog();
  const undo: (() => Promise<unknown>)[] = [() => disconnect(1)];
  try {
    return await use(await openDatabase((step) => undo.push(step)));
  } finally {
    // The connections close first, then what was started, the last one first.
    const [close, ...started] = undo;
    for (const step of [close, ...started.toReversed()]) await step?.();
  }
}

async function openDatabase(onEnd: (step: () => Promise<unknown>) => void): Promise<OpenDatabase> {
  const settings = env();
  takeOwnerUrl();
  if (!settings.trial) return { appUrl: settings.APP_URL, isStopped: false };
  const dataDir = resolve(settings.DATA_DIR);
  const passwordFile = join(dataDir, 'database-password');
  const running = await findRunningTrial(dataDir);
  if (running === 'starting')
    throw new CommandError('starting', 'The service is starting. Try again when it is ready.');
  if (running) {
    adopt({ databaseUrl: running.databaseUrl, authSecret: '', appUrl: running.appUrl });
    return { appUrl: running.appUrl, isStopped: false };
  }
  if (!existsSync(passwordFile))
    throw new CommandError(
      'no-database',
      `There is no trial in ${dataDir}. Set DATABASE_URL, or DATA_DIR, as for the service (${programName()} --settings FILE reads them).`,
    );
  const trial = await startTrial(dataDir, onEnd);
  adopt({ ...trial, appUrl: settings.APP_URL });
  await prepareDatabase(ownerUrlOf(trial.databaseUrl));
  forgetOwners();
  return { appUrl: settings.APP_URL, isStopped: true };
}
