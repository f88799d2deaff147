import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// An entry of the lock file. `license` and `integrity` are missing where the registry gave none.
type Locked = {
  /** Its folder, relative to the project. */
  place: string;
  name: string;
  version: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  engines?: { node?: string };
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
};

const root = join(import.meta.dirname, '..');

/** Every package of the lock file except this project's own; builds for other systems included. */
export function readLock(file = join(root, 'package-lock.json')): Locked[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, Omit<Locked, 'place' | 'name'> & { name?: string; link?: boolean }>;
  };
  return Object.entries(packages).flatMap(([place, { link, ...entry }]) => {
    if (link || !place.includes('node_modules/')) return [];
    return [{ ...entry, place, name: entry.name ?? place.replace(/^.*node_modules\//, '') }];
  });
}
