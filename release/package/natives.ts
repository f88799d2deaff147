import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/**
 * Returns a folder whose `node_modules` has these packages: the project, or where it has not all, as for
 * another platform, a new install of what the lock file names. npm verifies the checksums.
 */
export async function installNatives(platform: string, names: string[]): Promise<string> {
  if (names.every((name) => existsSync(join(root, 'node_modules', name)))) return root;
  const folder = join(root, 'node_modules', '.cache', platform);
  const read = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'));
  const { packages, lockfileVersion } = await read('package-lock.json');
  const { allowScripts } = await read('package.json');
  const locked = Object.fromEntries(names.map((name) => [`node_modules/${name}`, packages[`node_modules/${name}`]]));
  const dependencies = Object.fromEntries(names.map((name) => [name, locked[`node_modules/${name}`].version]));
  await mkdir(folder, { recursive: true });
  const write = (file: string, content: object) => writeFile(join(folder, file), JSON.stringify(content));
  await write('package.json', { dependencies, allowScripts });
  await write('package-lock.json', { lockfileVersion, packages: { '': { dependencies }, ...locked } });
  const [os, cpu] = platform.split('-');
  // npm refuses packages of another platform without --force.
  const args = ['ci', '--force', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc', '--no-audit'];
  await promisify(execFile)('npm', args, { cwd: folder });
  return folder;
}
