import { execFileSync, spawnSync } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '#harness/service.ts';

// The commit that today's code is compared with: the last one before sends were made faster.
const beforeCommit = '0dd492ff12ea8fc6709f46f497452ece4021fbbd';

const shortName = beforeCommit.slice(0, 7);

/**
 * Returns a folder with the code of commit 0dd492f, installed and with its pages built. That takes
 * two minutes at the first call; later ones find it. Throws a sentence for the terminal when the
 * clone lacks the commit.
 */
export async function checkOutBefore(): Promise<string> {
  // Outside the project, because TypeScript, Next.js and tests read every folder inside.
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staff-notification-bench');
  const folder = join(cache, shortName);
  const mark = join(folder, '.complete');
  if (await exists(mark)) return folder;
  requireCommit();
  process.stderr.write(`Installing and building commit ${shortName} in ${folder}; this happens once.\n`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = execFileSync('git', ['archive', beforeCommit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x'], { cwd: folder, input: files });
  run(folder, 'npm', ['ci', '--no-audit', '--no-fund']);
  run(folder, process.execPath, ['server/build.ts']);
  await writeFile(mark, '');
  return folder;
}

function requireCommit(): void {
  const found = spawnSync('git', ['cat-file', '-e', `${beforeCommit}^{commit}`], { cwd: root });
  if (found.status === 0) return;
  throw new Error(
    `Commit ${shortName} is not in this clone, so there is nothing to compare with. Fetch it with: git fetch origin ${beforeCommit}`,
  );
}

function run(cwd: string, command: string, args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env: ownVariables(), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${error ?? stdout + stderr}`);
}

// `npm run` sets variables for its own project.
const ownVariables = () => {
  const isOwn = ([name]: [string, unknown]) => !/^(npm_|INIT_CWD$|NODE_ENV$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOwn)) as NodeJS.ProcessEnv;
};

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
