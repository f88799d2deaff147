import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { freemem, tmpdir, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { type Check, type Finding, failing, ok, skipped, warning } from '#server/command/doctor/check.ts';

const gibibyte = 1024 ** 3;
const leastFreeBytes = gibibyte / 2;
const wantedFreeBytes = 2 * gibibyte;
/** A number of bytes for people. */
export const asGb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Whether the disks that the service writes to have free space. */
export const diskCheck: Check = {
  name: 'disk',
  run: async ({ settings }) => {
    const dataDir = settings?.trial ? resolve(settings.DATA_DIR) : undefined;
    const folders = [dataDir, '/var/log', tmpdir()].filter((folder) => folder !== undefined && existsSync(folder));
    return Promise.all(folders.map((folder) => checkDisk(folder ?? '')));
  },
};

async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return judgeFree('disk', free, `${asGb(free)} are free in ${folder}.`);
}

/** Judges how many bytes are free on a disk. `sentence` says it. */
export function judgeFree(name: string, free: number, sentence: string): Finding {
  const cure = 'Free some space. Old backups and logs are the usual reason.';
  if (free < leastFreeBytes) return failing(name, sentence, cure);
  return free < wantedFreeBytes ? warning(name, sentence, cure) : ok(name, sentence);
}

const wantedFiles = 1024;
const filesForStreams = 65_536;

/** Whether a process may open enough files: each stream of a portal needs one. */
export const filesCheck: Check = {
  name: 'open-files',
  run: async ({ settings }) => {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '')?.[1];
    if (soft === undefined) return [skipped('open-files', 'The limit of open files can be read on Linux only.')];
    const limit = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
    const sentence = `A process started from here may open ${soft} files, for three quarters of them streams.`;
    const cure = `Set LimitNOFILE=${filesForStreams} in the unit of systemd, or ulimit -n before the start.`;
    if (limit < wantedFiles) return [failing('open-files', sentence, cure)];
    if (limit >= filesForStreams || settings?.trial) return [ok('open-files', sentence)];
    return [ok('open-files', `${sentence} The unit in deploy/ sets ${filesForStreams} for the service.`)];
  },
};

const bytesOfProcess = 250 * 1024 ** 2;

/** Whether the machine has the memory that the processes need. */
export const memoryCheck: Check = {
  name: 'memory',
  run: async ({ settings }) => {
    // A container's own limit is below the machine's memory.
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    const processes = (settings?.PROCESSES ?? 1) + 1;
    const sentence = `${asGb(memory)} of memory, ${asGb(Math.min(memory, freemem()))} free.`;
    if (memory >= processes * bytesOfProcess) return [ok('memory', sentence)];
    return [
      warning(
        'memory',
        `${sentence} PROCESSES=${processes - 1} may need more.`,
        'Lower PROCESSES, or add memory or swap.',
      ),
    ];
  },
};
