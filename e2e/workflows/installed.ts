import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '#e2e/support/service/service.ts';

/** The folders of programs first, so that npm's scripts and n8n's helpers run with this Node. */
export const nodeFirst = [dirname(process.execPath), process.env.PATH].join(delimiter);

/**
 * Installs a package of npm into a folder that git ignores, unless an earlier run has done so, and
 * returns that folder. Its scripts do not run. Throws npm's output when the install fails.
 */
export async function installed(name: string, version: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'workflows');
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, `${name}-`));
  await writeFile(join(unfinished, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
  const env = { ...process.env, PATH: nodeFirst };
  await promisify(execFile)('npm', args, { cwd: unfinished, env, maxBuffer: 16 * 1024 * 1024 });
  // Another test may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return folder;
}
