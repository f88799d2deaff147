import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Contents, countRows, listTables, type RowCounts, readContents } from '#db/contents.ts';
import { connect } from '#db/driver/connect.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { readJournal } from '#db/journal.ts';
import { migrate } from '#db/migrate.ts';
import { type Command, CommandError, type Outcome, printProgress } from '#server/command/command.ts';
import { type DumpHead, readHead, readManifest, readMigrations, requireReader } from '#server/command/dump-file.ts';
import { interruptible } from '#server/command/interruptible.ts';
import { chooseOwnerUrl } from '#server/command/owner-url.ts';
import { forLibpq, requireTool, runTool } from '#server/command/postgres-tools.ts';
import { describeCounts } from '#server/command/table.ts';
import { requireTarget } from '#server/command/target-database.ts';
import { databaseUrl, directDatabaseUrl, env, silenceLog, takeOwnerUrl } from '#server/env.ts';
import { serviceVersion } from '#server/version.ts';

/** `notif restore`: fills an empty database from a backup. */
export const command: Command = {
  words: ['FILE'],
  about: 'Fill an empty database from a backup.',
  details: [
    `The database is the one of DATABASE_URL. It must exist and be empty; restore replaces nothing. All is one
transaction: after an error or Ctrl-C it is empty as before. Then the schema is migrated, and the role of DATABASE_URL
gets its privileges, whatever the roles were called before. Backups of \`notif backup\` and of \`pg_dump
--format=custom\` can be restored.`,
    `Use the AUTH_SECRET of the service that was backed up. With another one all people must sign in again.`,
  ],
  run: ({ words: [file = ''] }) => interruptible((signal) => restore(resolve(file), signal)),
};

async function restore(file: string, signal: AbortSignal): Promise<Outcome> {
  silenceLog();
  requireTarget(env());
  const ownerUrl = takeOwnerUrl();
  const url = chooseOwnerUrl(ownerUrl);
  const reader = await requireReader();
  const head = await readHead(reader, file, signal);
  const manifest = await readManifest(file);
  await requireKnown(await readMigrations(reader, file, signal), manifest?.service);
  const target = await readContents(url);
  requireEmpty(target);
  await load(url, target, head, file, signal);
  printProgress('Migrating and giving the role its privileges …');
  const applied = await migrate(directDatabaseUrl(), { ownerUrl, serviceUrl: databaseUrl() });
  await ensureSessionLimits(databaseUrl());
  const tables = await countAndAnalyze(url);
  // Only tables that no migration changes have the same rows afterwards.
  if (manifest && applied.length === 0) requireCounts(manifest.tables, tables);
  return {
    text: `${target.name} has ${describeCounts(tables)}${manifest ? `, as of ${manifest.takenAt}` : ''}.
Start the service with the AUTH_SECRET of the one that was backed up. What was revoked or deactivated after the
backup is valid again: compare with the old audit log if you still have it. docs/backup.md says more.
`,
    data: { database: target.name, tables, migrated: applied, takenAt: manifest?.takenAt ?? null },
  };
}

async function requireKnown(inDump: number[], service: string | undefined): Promise<void> {
  const known = new Set((await readJournal()).map(({ when }) => when));
  if (inDump.every((when) => known.has(when))) return;
  throw new CommandError(
    'newer-backup',
    `The backup is of ${service ? `version ${service}` : 'a newer version'}, whose tables version ${serviceVersion()} does not know. Install that version first.`,
  );
}

function requireEmpty({ name, tables, encoding }: Contents): void {
  if (encoding !== 'UTF8')
    throw new CommandError('encoding', `The database ${name} has the encoding ${encoding}. Create it with UTF8.`);
  if (tables.length === 0) return;
  throw new CommandError(
    'not-empty',
    `The database ${name} is not empty: it has ${tables.length} tables (${tables.slice(0, 3).join(', ')} …). Restore into a new one: create database …`,
  );
}

// What the target has already, or what only a superuser may create.
const leftOut =
  / (?:SCHEMA - public|EXTENSION|COMMENT - (?:EXTENSION|SCHEMA public)|ACL|DEFAULT ACL|PUBLICATION|EVENT TRIGGER|SUBSCRIPTION)\b/;

async function load(url: string, target: Contents, head: DumpHead, file: string, signal: AbortSignal): Promise<void> {
  if (target.major < head.server)
    throw new CommandError(
      'older-server',
      `The backup is of PostgreSQL ${head.server}; it cannot be restored into PostgreSQL ${target.major}. Use a server of that version or newer.`,
    );
  // pg_restore 17 and newer sets a parameter that PostgreSQL 16 does not know.
  const tool = await requireTool('pg_restore', head.dumpedBy, target.major < 17 ? 16 : undefined);
  const folder = await mkdtemp(join(tmpdir(), 'notif-restore-'));
  try {
    const list = join(folder, 'list');
    await writeFile(list, head.entries.filter((entry) => !leftOut.test(entry)).join('\n'));
    const { address, variables } = forLibpq(url);
    printProgress(`Restoring into ${target.name} …`);
    const args = ['--single-transaction', '--no-owner', '--no-privileges', '--no-password', `--use-list=${list}`];
    await runTool(tool, [...args, `--dbname=${address}`, file], { variables, signal }).ended;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countAndAnalyze(url: string): Promise<RowCounts> {
  const sql = connect(url, 1);
  try {
    await sql`set statement_timeout = 0`;
    // A dump has no statistics, and without them the first queries of large tables are slow.
    await sql`analyze`;
    return await countRows(sql, await listTables(sql));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function requireCounts(wanted: RowCounts, found: RowCounts): void {
  for (const [table, rows] of Object.entries(wanted))
    if (found[table] !== rows)
      throw new CommandError('incomplete', `${table} has ${found[table] ?? 0} rows instead of ${rows}.`);
}
