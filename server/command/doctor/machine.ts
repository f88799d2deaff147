import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Sql, withConnection } from '#db/driver/connect.ts';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';

const gibibyte = 1024 ** 3;
const leastFreeBytes = gibibyte / 2;
const wantedFreeBytes = 2 * gibibyte;
// Where PostgreSQL keeps its data on Debian and on Red Hat, if it runs on this machine.
const databaseFolders = ['/var/lib/postgresql', '/var/lib/pgsql'];

/** Whether the disks that the service and its database write to have free space. */
export const diskCheck: Check = {
  name: 'disk',
  run: async ({ settings }) => {
    const dataDir = settings?.trial ? resolve(settings.DATA_DIR) : undefined;
    const folders = [dataDir ?? '', ...databaseFolders, '/var/log', tmpdir()];
    return Promise.all(folders.filter((folder) => existsSync(folder)).map(checkDisk));
  },
};

async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const sentence = `${(free / 1e9).toFixed(1)} GB are free in ${folder}.`;
  const cure = 'Free some space. Old backups and logs are the usual reason.';
  if (free < leastFreeBytes) return failing(sentence, cure);
  return free < wantedFreeBytes ? warning(sentence, cure) : ok(sentence);
}

const wantedFiles = 1024;
const filesForStreams = 65_536;

/** Whether a process may open enough files: each stream of a portal needs one. */
export const filesCheck: Check = {
  name: 'open-files',
  run: async ({ settings }) => {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '')?.[1];
    if (soft === undefined) return [skipped('The limit of open files can be read on Linux only.')];
    const limit = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
    const sentence = `A process started from here may open ${soft} files, for three quarters of them streams.`;
    const cure = `Set LimitNOFILE=${filesForStreams} in the unit of systemd, or ulimit -n before the start.`;
    if (limit < wantedFiles) return [failing(sentence, cure)];
    if (limit >= filesForStreams || settings?.trial) return [ok(sentence)];
    return [ok(`${sentence} The unit in deploy/ sets ${filesForStreams} for the service.`)];
  },
};

const noticedMs = 2000;
const harmfulMs = 60_000;

/** Whether this machine and the database have the same time. */
export const clockCheck: Check = {
  name: 'clock',
  run: async ({ database }) => [
    database ? await compareClocks(database.url) : skipped('No database is known to compare the clock with.'),
  ],
};

async function compareClocks(url: string): Promise<Finding> {
  try {
    return await withConnection(url, compareWith);
  } catch {
    return skipped('The database is out of reach, so the clock was not compared.');
  }
}

async function compareWith(sql: Sql): Promise<Finding> {
  await sql`select 1`;
  const before = Date.now();
  const [row] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  const after = Date.now();
  const difference = Math.abs((row?.at.getTime() ?? 0) - (before + after) / 2) - (after - before) / 2;
  const sentence = `This machine and the database differ by ${(Math.max(0, difference) / 1000).toFixed(1)} s.`;
  const cure = 'Install systemd-timesyncd or chrony on both machines, and check timedatectl.';
  if (difference > harmfulMs) return failing(`${sentence} People are signed out and devices get nothing.`, cure);
  return difference > noticedMs ? warning(sentence, cure) : ok(sentence);
}
