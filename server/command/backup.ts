import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Contents, countRows, listTables, type RowCounts, readContents } from '#db/contents.ts';
import { connect, type Transaction } from '#db/driver/connect.ts';
import { readJournal } from '#db/journal.ts';
import { type Command, CommandError, type Outcome, printProgress } from '#server/command/command.ts';
import {
  hashFile,
  type Manifest,
  manifestOf,
  readHead,
  readManifest,
  readWhole,
  requireReader,
} from '#server/command/dump-file.ts';
import { interruptible } from '#server/command/interruptible.ts';
import { withDatabase } from '#server/command/open-database.ts';
import { chooseOwnerUrl } from '#server/command/owner-url.ts';
import { forLibpq, requireTool, runTool, type Tool } from '#server/command/postgres-tools.ts';
import { describeBytes, describeCounts } from '#server/command/table.ts';
import { serviceVersion } from '#server/version.ts';

/** `notif backup`: a dump of the database with a manifest, or a check of one. */
export const command: Command = {
  words: ['[FILE]'],
  about: 'Write a backup of the database to a file, or check one.',
  details: [
    `The file is a dump of pg_dump in its custom format, for \`notif restore\`. The default name has the time. Beside it,
FILE.json says what is in it. Both can be read by you only, and no file is ever replaced. The service goes on
meanwhile. pg_dump must not be older than the server; it is searched in PGBIN or PATH and where Debian puts it.`,
    `A backup contains names and notifications in clear text. It does not contain AUTH_SECRET: keep a copy of your
settings too.`,
    '--verify reads a backup from its first to its last byte and compares it with FILE.json. It needs no database.',
  ],
  options: { verify: { description: 'check FILE instead of writing it' } },
  run: ({ words: [file], flags }) =>
    interruptible((signal) => {
      if (flags.has('verify')) return verify(file, signal);
      return withDatabase(({ ownerUrl }) => backUp(file, ownerUrl, signal));
    }),
};

async function backUp(asked: string | undefined, ownerUrl: string | undefined, signal: AbortSignal): Promise<Outcome> {
  const url = chooseOwnerUrl(ownerUrl);
  const contents = await readContents(url);
  requireService(contents);
  const file = resolve(asked ?? `notif-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.dump`);
  await requireFree(file);
  const tool = await requireTool('pg_dump', contents.major);
  printProgress(`Backing up ${contents.name} (${describeBytes(contents.bytes)}) …`);
  const part = `${file}.part-${process.pid}`;
  const manifestPart = `${manifestOf(file)}.part-${process.pid}`;
  try {
    const { tables, takenAt } = await dump(url, tool, part, signal);
    const bytes = (await stat(part)).size;
    const manifest: Manifest = {
      takenAt,
      service: serviceVersion(),
      postgres: contents.version,
      pgDump: tool.version,
      database: contents.name,
      newestMigration: await nameNewest(contents.applied),
      tables,
      bytes,
      sha256: await hashFile(part, signal),
    };
    await writeNew(manifestPart, `${JSON.stringify(manifest, null, 2)}\n`);
    signal.throwIfAborted();
    await keep(part, file);
    await keep(manifestPart, manifestOf(file));
    return {
      text: `${file}
${describeBytes(bytes)}, ${describeCounts(tables)}, as of ${takenAt}.
A backup does not contain AUTH_SECRET: keep a copy of your settings too.
`,
      data: { file, manifest: manifestOf(file), ...manifest },
    };
  } finally {
    for (const left of [part, manifestPart]) await rm(left, { force: true });
  }
}

function requireService({ applied, ownsAll, role }: Contents): void {
  if (applied.length === 0)
    throw new CommandError('no-schema', 'There is nothing to back up: the database has no tables of this service.');
  if (!ownsAll)
    throw new CommandError(
      'not-owner',
      `The role ${role} may not read all that a backup needs. Set DATABASE_OWNER_URL to the role that owns the schema; --settings may be given twice.`,
    );
}

async function requireFree(file: string): Promise<void> {
  for (const one of [file, manifestOf(file)])
    if (await stat(one).catch(() => null))
      throw new CommandError('file-exists', `${one} exists already. A backup replaces no file: choose another name.`);
  if (!(await stat(dirname(file)).catch(() => null)))
    throw new CommandError('no-folder', `There is no folder ${dirname(file)}.`);
}

/**
 * Runs pg_dump, and counts the rows of each table in the same snapshot meanwhile. An abort or an
 * error stops both.
 */
async function dump(
  url: string,
  tool: Tool,
  part: string,
  signal: AbortSignal,
): Promise<{ tables: RowCounts; takenAt: string }> {
  // The program keeps the mode of a file that exists.
  await writeNew(part, '');
  const sql = connect(url, 1);
  // A count of a large table, or one that waits for a lock, would delay the end.
  const cut = () => void sql.end({ timeout: 0 });
  signal.addEventListener('abort', cut);
  let dumping: Promise<void> | undefined;
  try {
    return await sql.begin('isolation level repeatable read read only', async (tx) => {
      const { snapshot, takenAt } = await takeSnapshot(tx);
      const { address, variables } = forLibpq(url);
      const args = ['--format=custom', '--schema=public', '--schema=drizzle', `--snapshot=${snapshot}`];
      const { ended } = runTool(tool, [...args, `--file=${part}`, '--no-password', address], { variables, signal });
      dumping = ended;
      ended.catch(cut);
      const [tables] = await Promise.all([listTables(tx).then((names) => countRows(tx, names)), ended]);
      return { tables, takenAt };
    });
  } catch (error) {
    // The reason, and not that the count was cut off; and pg_dump must not create the file again.
    await dumping;
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    await sql.end({ timeout: 5 });
  }
}

async function takeSnapshot(tx: Transaction): Promise<{ snapshot: string; takenAt: string }> {
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await tx`select set_config(${name}, '0', true)`;
  const [taken] = await tx<{ snapshot: string; at: Date }[]>`select pg_export_snapshot() as snapshot, now() as at`;
  return { snapshot: taken?.snapshot ?? '', takenAt: taken?.at.toISOString() ?? '' };
}

async function nameNewest(applied: number[]): Promise<string> {
  const newest = applied.at(-1) ?? 0;
  return (await readJournal()).find(({ when }) => when === newest)?.tag ?? String(newest);
}

async function writeNew(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError('not-writable', `${path} cannot be written (${error.code}).`);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

// Unlike a rename, a link never replaces a file that appeared meanwhile. Some file systems have none.
async function keep(part: string, file: string): Promise<void> {
  const written = await open(part, 'r+');
  await written.sync();
  await written.close();
  try {
    await link(part, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code === 'EEXIST') throw error;
    await rename(part, file);
  }
}

async function verify(asked: string | undefined, signal: AbortSignal): Promise<Outcome> {
  if (asked === undefined) throw new CommandError('no-file', 'FILE is missing: which backup is to be checked?');
  const file = resolve(asked);
  const tool = await requireReader();
  const head = await readHead(tool, file, signal);
  const manifest = await readManifest(file);
  if (manifest && (await hashFile(file, signal)) !== manifest.sha256)
    throw new CommandError('damaged', `${file} is damaged: its SHA-256 is not the one in ${manifestOf(file)}.`);
  printProgress(`Reading ${file} …`);
  const { tables, applied } = await readWhole(tool, file, signal);
  for (const [table, rows] of Object.entries(manifest?.tables ?? {}))
    if (tables[table] !== rows)
      throw new CommandError('damaged', `${file} has ${tables[table] ?? 0} rows of ${table} instead of ${rows}.`);
  const newestMigration = await nameNewest(applied);
  return {
    text: `${file} is whole: ${describeCounts(tables)}, PostgreSQL ${head.server}, migration ${newestMigration}.
${manifest ? '' : `There is no ${manifestOf(file)}, so only the file itself was checked.\n`}`,
    data: { file, tables, newestMigration, postgres: head.server, hasManifest: manifest !== null },
  };
}
