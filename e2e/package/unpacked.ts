import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '#e2e/support/service/service.ts';

/** Makes the package of a checkout with further `options`, builds its pages if needed, and returns its path. */
export async function makePackage(checkout: string, to: string, ...options: string[]): Promise<string> {
  const made = ['release/package/make.ts', '--uncompressed', '--to', to, ...options];
  const { stdout } = await execa(process.execPath, made, { cwd: checkout });
  return /^(.+\.tar): /m.exec(stdout)?.[1] ?? '';
}

/** Unpacks an archive: the folder becomes the one that the archive holds. */
export async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await execa('tar', ['xf', archive, '-C', folder, '--strip-components', '1']);
}

/** The commit of the last release, or null where this clone lacks it, as a shallow one does. */
export async function findLastRelease(): Promise<string | null> {
  const commit = (await readFile(join(root, 'release', 'last-release'), 'utf8')).trim();
  const { exitCode } = await execa('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, reject: false });
  return exitCode === 0 ? commit : null;
}

/** Makes the package of a commit with its own pages, and with this checkout's packages where they are the same. */
export async function makePackageOf(commit: string, to: string): Promise<string> {
  const checkout = await mkdtemp(join(tmpdir(), 'notif-last-release-'));
  try {
    const archived = execa('git', ['archive', commit], { cwd: root, encoding: 'buffer', maxBuffer: 1e9 });
    await execa('tar', ['x', '-C', checkout], { input: (await archived).stdout });
    const lockOf = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');
    if ((await lockOf(checkout)) === (await lockOf(root))) {
      const modules = join(root, 'node_modules');
      await execa('cp', ['-al', modules, checkout]).catch(() => execa('cp', ['-a', modules, checkout]));
    } else await execa('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout });
    return await makePackage(checkout, to);
  } finally {
    await rm(checkout, { recursive: true, force: true });
  }
}
