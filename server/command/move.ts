import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Contents, listFilled, type RowCounts, readContents } from '#db/contents.ts';
import { CopyError, copyRows } from '#db/copy-rows.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { readJournal } from '#db/journal.ts';
import { migrate } from '#db/migrate.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { type Command, CommandError, type Outcome, printProgress } from '#server/command/command.ts';
import { interruptible } from '#server/command/interruptible.ts';
import { chooseOwnerUrl } from '#server/command/owner-url.ts';
import { describeCounts } from '#server/command/table.ts';
import { requireTarget } from '#server/command/target-database.ts';
import {
  assumeAuthSecret,
  authSecret,
  databaseUrl,
  directDatabaseUrl,
  env,
  silenceLog,
  takeOwnerUrl,
} from '#server/env.ts';
import { findRunningTrial } from '#server/runtime/instance-lock.ts';
import { startTrial } from '#server/runtime/trial.ts';

/** `notif move`: copies a trial into one's own PostgreSQL. */
export const command: Command = {
  words: ['[FOLDER]'],
  about: 'Copy a trial to your own PostgreSQL.',
  details: [
    `FOLDER is the trial's DATA_DIR; the default is .data. The target is the database of DATABASE_URL (and
DATABASE_OWNER_URL), which must exist and be empty. Stop the trial first. Companies, people, keys, sessions and the
whole history are copied and compared; the trial stays as it is.`,
    `People stay signed in when the service uses the trial's AUTH_SECRET. --write-settings writes it with the addresses
of the database to a new file, for systemd or --settings; it is never printed.`,
    'It needs no pg_dump.',
  ],
  options: {
    'write-settings': { value: 'FILE', description: 'write the settings to use from now on to this new file' },
  },
  run: ({ words: [folder], values }) =>
    interruptible((signal) => move(resolve(folder ?? '.data'), values.get('write-settings'), signal)),
};

async function move(dataDir: string, settingsFile: string | undefined, signal: AbortSignal): Promise<Outcome> {
  silenceLog();
  const secretFile = join(dataDir, 'auth-secret');
  await requireStopped(dataDir);
  const secret = (await readFile(secretFile, 'utf8')).trim();
  assumeAuthSecret(secret);
  requireTarget(env());
  const ownerUrl = takeOwnerUrl();
  const to = chooseOwnerUrl(ownerUrl);
  const target = await readContents(to);
  requireEmpty(target, await listFilled(to, target.tables));
  if (settingsFile !== undefined && existsSync(settingsFile))
    throw new CommandError('file-exists', `${settingsFile} exists already. Nothing was copied; choose another name.`);
  const tables = await copyTrial(dataDir, to, ownerUrl, signal);
  await ensureSessionLimits(databaseUrl());
  if (settingsFile !== undefined) await writeSettings(settingsFile, secret, ownerUrl);
  const isSameSecret = authSecret() === secret;
  return {
    text: `${target.name} has ${describeCounts(tables)}. The trial in ${dataDir} is unchanged.
${settingsFile === undefined ? describeSecret(secretFile, isSameSecret) : `${resolve(settingsFile)} has the settings for it. Add APP_URL to them.\n`}`,
    data: { database: target.name, tables, from: dataDir, secretFile, settingsFile: settingsFile ?? null },
  };
}

// Whoever set another secret on purpose keeps the people signed in with the old one beside it.
const describeSecret = (file: string, isSame: boolean) => `
Use these settings from now on, and everybody stays signed in:

  DATABASE_URL and DATABASE_OWNER_URL as for this command
  ${isSame ? 'AUTH_SECRET' : 'AUTH_SECRET_PREVIOUS'} = the content of ${file}
`;

async function requireStopped(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'database-password')))
    throw new CommandError('no-trial', `There is no trial in ${dataDir}. Name the folder (DATA_DIR) of the trial.`);
  if ((await findRunningTrial(dataDir)) !== null)
    throw new CommandError('trial-runs', `The trial in ${dataDir} runs. Stop it first, so that nothing is missed.`);
}

function requireEmpty({ name, encoding }: Contents, filled: string[]): void {
  if (encoding !== 'UTF8')
    throw new CommandError('encoding', `The database ${name} has the encoding ${encoding}. Create it with UTF8.`);
  if (filled.length > 0)
    throw new CommandError(
      'not-empty',
      `The database ${name} is not empty: ${filled.slice(0, 3).join(', ')} ${filled.length === 1 ? 'has' : 'have'} rows. Use an empty one.`,
    );
}

async function copyTrial(
  dataDir: string,
  to: string,
  ownerUrl: string | undefined,
  signal: AbortSignal,
): Promise<RowCounts> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    printProgress(`Opening the trial in ${dataDir} …`);
    const trial = await startTrial(dataDir, (step) => undo.unshift(step));
    const from = ownerUrlOf(trial.databaseUrl) ?? trial.databaseUrl;
    const until = await requireKnown((await readContents(from)).applied);
    signal.throwIfAborted();
    // The trial is not migrated. The copy gets its schema first, and the newest one afterwards.
    await migrate(to, { until });
    const tables = await copyRows({ from, to, signal }, (table, place, all) =>
      printProgress(`Copying ${table} (${place} of ${all}) …`),
    );
    await migrate(directDatabaseUrl(), { ownerUrl, serviceUrl: databaseUrl() });
    return tables;
  } catch (error) {
    if (!(error instanceof CopyError)) throw error;
    throw new CommandError('copy-failed', `Nothing was copied: ${error.message}.`);
  } finally {
    for (const step of undo) await step();
  }
}

async function requireKnown(applied: number[]): Promise<number> {
  const known = new Set((await readJournal()).map(({ when }) => when));
  if (applied.every((when) => known.has(when))) return applied.at(-1) ?? 0;
  throw new CommandError('newer-trial', 'The trial was used by a newer version of the service. Use that version.');
}

async function writeSettings(path: string, secret: string, ownerUrl: string | undefined): Promise<void> {
  const lines = [
    `DATABASE_URL='${databaseUrl()}'`,
    ...(ownerUrl === undefined ? [] : [`DATABASE_OWNER_URL='${ownerUrl}'`]),
    ...(directDatabaseUrl() === databaseUrl() ? [] : [`DATABASE_DIRECT_URL='${directDatabaseUrl()}'`]),
    `AUTH_SECRET='${secret}'`,
  ];
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${lines.join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
