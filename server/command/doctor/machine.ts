import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Check, type Finding, failing, ok, warning } from '#server/command/doctor/check.ts';
import { readFileLimit } from '#server/feed/stream-limit.ts';

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
    const limit = readFileLimit();
    const sentence = `A process started from here may open ${limit} files, for three quarters of them streams.`;
    const cure = `Set LimitNOFILE=${filesForStreams} in the unit of systemd, or ulimit -n before the start.`;
    if (limit < wantedFiles) return [failing(sentence, cure)];
    if (limit >= filesForStreams || settings?.trial) return [ok(sentence)];
    return [ok(`${sentence} The unit in deploy/ sets ${filesForStreams} for the service.`)];
  },
};
