import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Check, type Finding, failing, ok, warning } from '#server/command/doctor/check.ts';

const gibibyte = 1024 ** 3;
const leastFreeBytes = gibibyte / 2;
const wantedFreeBytes = 2 * gibibyte;
// Where PostgreSQL keeps its data on Debian and on Red Hat, if it runs on this machine.
const databaseFolders = ['/var/lib/postgresql', '/var/lib/pgsql'];

/** Whether the disks that the service and its database write to have free space. */
export const diskCheck: Check = {
  name: 'disk',
  run: async ({ settings }) => {
    const folders = [settings?.trial ? resolve(settings.DATA_DIR) : '', ...databaseFolders, '/var/log', tmpdir()];
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
