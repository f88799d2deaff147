import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { deriveOwnerUrl, forgetOwners, ownerUrlOf } from '#db/service-role.ts';
import { CommandError } from '#server/command/command.ts';
import { adopt, env, programName, silenceLog, takeOwnerUrl } from '#server/env.ts';
import { prepareDatabase } from '#server/runtime/database.ts';
import { findRunningTrial } from '#server/runtime/instance-lock.ts';
import { startTrial } from '#server/runtime/trial.ts';

/**
 * What a command may use of the database. `isStopped`: it belongs to a trial that does not run.
 * `ownerUrl`: the schema's owner, when it is another role than the service's.
 */
export type OpenDatabase = { appUrl: string; isStopped: boolean; ownerUrl: string | undefined };

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
  const ownerUrl = takeOwnerUrl();
  if (!settings.trial) return { appUrl: settings.APP_URL, isStopped: false, ownerUrl };
  const dataDir = resolve(settings.DATA_DIR);
  const passwordFile = join(dataDir, 'database-password');
  const running = await findRunningTrial(dataDir);
  if (running === 'starting')
    throw new CommandError('starting', 'The service is starting. Try again when it is ready.');
  if (running) {
    adopt({ databaseUrl: running.databaseUrl, authSecret: '', appUrl: running.appUrl });
    const adminPassword = (await readFile(passwordFile, 'utf8')).trim();
    return {
      appUrl: running.appUrl,
      isStopped: false,
      ownerUrl: deriveOwnerUrl(running.databaseUrl, adminPassword),
    };
  }
  if (!existsSync(passwordFile))
    throw new CommandError(
      'no-database',
      `There is no trial in ${dataDir}. Set DATABASE_URL, or DATA_DIR, as for the service (${programName()} --settings FILE reads them).`,
    );
  const trial = await startTrial(dataDir, onEnd);
  adopt({ ...trial, appUrl: settings.APP_URL });
  const trialOwnerUrl = ownerUrlOf(trial.databaseUrl);
  await prepareDatabase(trialOwnerUrl);
  forgetOwners();
  return { appUrl: settings.APP_URL, isStopped: true, ownerUrl: trialOwnerUrl };
}
