import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { migrate } from '#db/migrate.ts';
import { type Rehearsal, rehearseMigrations } from '#db/rehearse-migrations.ts';
import { planUndo, type Undo, undoMigrations } from '#db/undo-migrations.ts';
import { type Command, CommandError, type Outcome } from '#server/command/command.ts';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#server/env.ts';

/** `notif migrate`: the same as `npm run migrate`, and the way back. */
export const command: Command = {
  words: [],
  about: 'Bring the schema of the database to the newest version, or back.',
  details: [
    'Uses DATABASE_OWNER_URL when it is set, and gives the role of DATABASE_URL its privileges. Every start does this\ntoo, unless the service has no DATABASE_OWNER_URL. A failed migration changes nothing.',
    '--rehearse measures on a restored copy how long it takes and what it locks, and undoes it.\n--undo-to goes back before you start an older version. Stop all instances first. docs/upgrading.md has the names.',
  ],
  options: {
    rehearse: { description: 'run the missing migrations, measure and undo them' },
    'undo-to': { value: 'NAME', description: 'undo all migrations after this one' },
    yes: { description: 'with --undo-to: undo them, and do not only list what is lost' },
  },
  run: async ({ flags, values }) => {
    const url = directDatabaseUrl();
    const ownerUrl = takeOwnerUrl();
    const undoTo = values.get('undo-to');
    if (flags.has('rehearse')) return describeRehearsal(await rehearseMigrations(ownerUrl ?? url));
    if (undoTo !== undefined) return await undo(ownerUrl ?? url, undoTo, flags.has('yes'));
    const applied = await migrate(url, { ownerUrl, serviceUrl: databaseUrl() });
    await ensureSessionLimits(databaseUrl());
    const text = applied.length > 0 ? `Migrated: ${applied.join(', ')}.` : 'The schema is the newest.';
    return { text: `${text}\n`, data: { applied } };
  },
};

const names = (tables: string[]) => tables.join(', ') || 'nothing';

function describeRehearsal(rehearsed: Rehearsal[]): Outcome {
  const lines = rehearsed.map(
    ({ tag, ms, walBytes, unreadable, unwritable }) => `${tag}
  ${(ms / 1000).toFixed(2)} s, ${(walBytes / 1e6).toFixed(1)} MB of write-ahead log
  from here to the end nobody can read ${names(unreadable)}; nobody can write ${names(unwritable)}`,
  );
  const seconds = rehearsed.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const end = `${rehearsed.length} migrations took ${seconds.toFixed(2)} s. All were undone.`;
  const text = rehearsed.length > 0 ? [...lines, end].join('\n') : 'The schema is the newest.';
  return { text: `${text}\n`, data: { rehearsed } };
}

async function undo(url: string, to: string, isAgreed: boolean): Promise<Outcome> {
  const list = (undos: Undo[]) => undos.map(({ tag, lost }) => `${tag}\n  lost: ${lost}`);
  const data = (undos: Undo[]) => ({ undone: isAgreed, migrations: undos.map(({ tag, lost }) => ({ tag, lost })) });
  try {
    const undos = await (isAgreed ? undoMigrations(url, to) : planUndo(url, to));
    const end = isAgreed
      ? `Undone. Start the older version now: a start of this one would migrate again.`
      : `Nothing was changed. Stop all instances and add --yes to undo these.`;
    const text = undos.length > 0 ? [...list(undos), end].join('\n') : `${to} is the newest migration already.`;
    return { text: `${text}\n`, data: data(undos) };
  } catch (error) {
    if (!(error instanceof Error) || 'code' in error) throw error;
    throw new CommandError('cannot-undo', `Nothing was changed: ${error.message}.`);
  }
}
