import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { forgetOwners, ownerUrlOf } from '#db/service-role.ts';
import { createOperatorLink, operatorLinkMinutes } from '#server/accounts/owner-links.ts';
import { adopt, env, takeOwnerUrl } from '#server/env.ts';
import { prepareDatabase } from '#server/runtime/database.ts';
import { findRunningTrial } from '#server/runtime/instance-lock.ts';
import { explainStart, StartError } from '#server/runtime/start-error.ts';
import { startTrial } from '#server/runtime/trial.ts';

const usage = `Usage: npm run operator -- sign-in-link USERNAME

  sign-in-link   prints a link with which a locked-out owner chooses a new password.
                 It can be used once, within ${operatorLinkMinutes} minutes. Their old sessions end then.`;

type Undo = () => Promise<unknown>;

/**
 * Connects to the database of the settings. Without DATABASE_URL it uses the running trial of
 * DATA_DIR, or starts the trial's database itself. `isStopped`: that trial's service does not run.
 * `undo`: the steps that end what was started.
 */
async function openDatabase(): Promise<{ appUrl: string; isStopped: boolean; undo: Undo[] }> {
  const settings = env();
  const undo: Undo[] = [];
  takeOwnerUrl();
  if (!settings.trial) return { appUrl: settings.APP_URL, isStopped: false, undo };
  const dataDir = resolve(settings.DATA_DIR);
  const running = await findRunningTrial(dataDir);
  if (running === 'starting') throw new StartError('The service is starting. Try again when it is ready.');
  if (running) {
    adopt({ databaseUrl: running.databaseUrl, authSecret: '', appUrl: running.appUrl });
    return { appUrl: running.appUrl, isStopped: false, undo };
  }
  if (!existsSync(join(dataDir, 'database-password')))
    throw new StartError(`There is no trial in ${dataDir}. Set DATABASE_URL, or DATA_DIR, as for the service.`);
  const trial = await startTrial(dataDir, (step) => undo.push(step));
  adopt({ ...trial, appUrl: settings.APP_URL });
  await prepareDatabase(ownerUrlOf(trial.databaseUrl));
  forgetOwners();
  return { appUrl: settings.APP_URL, isStopped: true, undo };
}

async function printSignInLink(username: string): Promise<number> {
  const { appUrl, isStopped, undo } = await openDatabase();
  try {
    const made = await createOperatorLink(username.trim());
    if (made === 'no-such-account') return refuse(`There is no account with the username ${username}.`);
    if (made === 'not-an-owner')
      return refuse(`${username} is not an owner. An owner of the company makes a new sign-in link for an employee.`);
    const { name, companyName, token } = made;
    process.stdout.write(
      `A link for ${name}, owner of ${companyName}. It can be used once, within ${operatorLinkMinutes} minutes.
Give it to ${name} only. The person who opens it chooses the password.

  ${appUrl}/invite/${token}
${isStopped ? '\nThe service is not running. Start it first: npm start\n' : ''}`,
    );
    return 0;
  } finally {
    await disconnect(1);
    for (const step of undo.toReversed()) await step();
  }
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

async function run([command, username, ...more]: string[]): Promise<number> {
  if (command !== 'sign-in-link' || !username || more.length > 0) return refuse(usage);
  return printSignInLink(username);
}

function explain(error: unknown): string {
  if (!isDatabaseUnavailable(error)) return explainStart(error);
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return `The database is out of reach${code}. No link was made.`;
}

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => refuse(explain(error)));
