import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnv } from '#platform/config/processes.ts';

/** A folder with a version of the service, and the Node that runs it. */
export type Installation = { root: string; node: string };

const root = join(import.meta.dirname, '..', '..');
const releaseFile = 'release.json';

export const ownInstallation: Installation = { root, node: process.execPath };

/** Whether this is an unpacked package: its pages are built, and its folder is not written. */
export const isPackage = (): boolean => existsSync(join(root, releaseFile));

/**
 * The version that new processes run. A package may have been started through a link, such as
 * `/opt/staff-notification/current`, that leads to a newer package by now.
 */
export function findInstallation(): Installation {
  if (!isPackage()) return ownInstallation;
  let folder = dirname(process.argv[1] ?? '');
  while (folder !== dirname(folder) && !existsSync(join(folder, releaseFile))) folder = dirname(folder);
  if (!existsSync(join(folder, releaseFile))) return ownInstallation;
  const found = realpathSync(folder);
  return found === realpathSync(root) ? ownInstallation : { root: found, node: join(found, 'bin', 'node') };
}

/** Migrates with the program of another version. Throws an error with what it printed. */
export async function migrateBy({ root, node }: Installation, ownerUrl: string | undefined): Promise<void> {
  const env = childEnv({ DATABASE_OWNER_URL: ownerUrl });
  await promisify(execFile)(node, [join(root, 'db', 'migrate.ts')], { env });
}
