import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { RowCounts } from '#db/contents.ts';
import { CommandError } from '#server/command/command.ts';
import { requireTool, runTool, type Tool } from '#server/command/postgres-tools.ts';

/**
 * What a backup says about itself, in a file beside it: when it was taken by the database's clock, by
 * which version of the service and of pg_dump, from which PostgreSQL, its migrations, the rows of
 * each table, and its SHA-256.
 */
export type Manifest = {
  takenAt: string;
  service: string;
  postgres: string;
  pgDump: string;
  database: string;
  newestMigration: string;
  tables: RowCounts;
  bytes: number;
  sha256: string;
};

/** The file of a backup's manifest. */
export const manifestOf = (file: string): string => `${file}.json`;

/** Reads the manifest of a backup; null when it has none. */
export async function readManifest(file: string): Promise<Manifest | null> {
  const given = await readFile(manifestOf(file), 'utf8').catch(() => null);
  if (given === null) return null;
  try {
    return JSON.parse(given) as Manifest;
  } catch {
    throw new CommandError('manifest', `${manifestOf(file)} is damaged: it is not JSON.`);
  }
}

/** The SHA-256 of a file, in hex. */
export async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file, { signal })) hash.update(part as Buffer);
  return hash.digest('hex');
}

/**
 * The head of a dump: the main versions of its PostgreSQL and of its pg_dump, and its table of
 * contents, for `pg_restore --use-list`.
 */
export type DumpHead = { server: number; dumpedBy: number; entries: string[] };

/**
 * Reads the head of a dump. Throws `CommandError` when the file is missing or is not a dump in
 * pg_dump's custom format.
 */
export async function readHead(tool: Tool, file: string, signal: AbortSignal): Promise<DumpHead> {
  await access(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError('no-file', `${file} cannot be read (${error.code}).`);
  });
  const { child, ended } = runTool(tool, ['--list', file], { signal, isPiped: true });
  const listing = await text(child.stdout as NodeJS.ReadableStream as never);
  await ended;
  const versionOf = (label: string) => Number(new RegExp(`${label}: (\\d+)`).exec(listing)?.[1] ?? 0);
  const entries = listing.split('\n').filter((line) => /^\d+;/.test(line));
  if (!/Format: CUSTOM/.test(listing) || !entries.some((line) => line.includes('TABLE drizzle __drizzle_migrations')))
    throw new CommandError('not-a-backup', `${file} is no backup of this service.`);
  return {
    server: versionOf('Dumped from database version'),
    dumpedBy: versionOf('Dumped by pg_dump version'),
    entries,
  };
}

/** The newest pg_restore; it reads dumps of all older versions. */
export async function requireReader(): Promise<Tool> {
  const oldest = 16;
  return requireTool('pg_restore', oldest, Number.POSITIVE_INFINITY, 'newest');
}

/** The times of the migrations in a dump, oldest first. */
export async function readMigrations(tool: Tool, file: string, signal: AbortSignal): Promise<number[]> {
  const { applied } = await readRows(tool, [file, '--schema=drizzle', '--table=__drizzle_migrations'], signal);
  return applied;
}

/**
 * Reads a dump from its first to its last byte. Returns the rows of each table, and the times of its
 * migrations. Throws `CommandError` when it is damaged.
 */
export async function readWhole(
  tool: Tool,
  file: string,
  signal: AbortSignal,
): Promise<{ tables: RowCounts; applied: number[] }> {
  return readRows(tool, [file], signal);
}

async function readRows(
  tool: Tool,
  args: string[],
  signal: AbortSignal,
): Promise<{ tables: RowCounts; applied: number[] }> {
  const { child, ended } = runTool(tool, ['--data-only', '--file=-', ...args], { signal, isPiped: true });
  const tables: RowCounts = {};
  const applied: number[] = [];
  let table = '';
  // pg_restore writes `COPY schema.table (…) FROM stdin;`, a line for each row, and `\.`.
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream as never })) {
    if (table === '') {
      table = /^COPY (\S+) .*FROM stdin;$/.exec(line)?.[1] ?? '';
      if (table.startsWith('public.')) tables[nameOf(table)] = 0;
    } else if (line === '\\.') table = '';
    else if (table === 'drizzle.__drizzle_migrations') applied.push(Number(line.split('\t')[2]));
    else tables[nameOf(table)] = (tables[nameOf(table)] ?? 0) + 1;
  }
  await ended;
  return { tables, applied: applied.sort((a, b) => a - b) };
}

const nameOf = (table: string) => table.replace(/^public\./, '');
