import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package as the lock file names it; `license` and `integrity` are missing where the registry told npm nothing. */
export type Locked = {
  /** Where it is installed, below the project's folder. */
  place: string;
  name: string;
  version: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
};

type Entry = Omit<Locked, 'place' | 'name'> & { name?: string; link?: boolean };
type Lock = { packages: Record<string, Entry> };

const root = join(import.meta.dirname, '..');

/** What the project itself says of its packages. */
export type Manifest = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

/** `package.json`. */
export const readManifest = (): Manifest => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Every package of the lock file but our own; those for other systems too. */
export function readLock(file = join(root, 'package-lock.json')): Locked[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  return Object.entries(packages).flatMap(([place, { link, ...entry }]) => {
    if (link || !place.includes('node_modules/')) return [];
    return [{ ...entry, place, name: entry.name ?? place.replace(/^.*node_modules\//, '') }];
  });
}
