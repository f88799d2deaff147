import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '#e2e/support/service/service.ts';
import { sources } from '#server/runtime/build.ts';

/** A built copy of the project's code. */
export type Copy = { folder: string; remove: () => Promise<void> };

/** What a copy has instead of the project's code: for each file the texts to replace. */
export type Changes = Record<string, [before: string, after: string][]>;

/**
 * Copies what the pages are built from into a new folder of another path, changes it and builds it.
 * Packages are hard links where possible. Takes half a minute. Throws when a text to replace is not there.
 */
export async function buildCopy(changes: Changes): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-second-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const filter = (path: string) => !path.endsWith('.test.ts');
    for (const source of sources)
      await cp(join(root, source), join(folder, source), { recursive: true, preserveTimestamps: true, filter });
    // Links need the same file system.
    const modules = join(root, 'node_modules');
    await execa('cp', ['-al', modules, folder]).catch(() => execa('cp', ['-a', modules, folder]));
    for (const [file, replacements] of Object.entries(changes)) await change(join(folder, file), replacements);
    await execa(process.execPath, ['server/runtime/build.ts'], { cwd: folder });
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function change(path: string, replacements: [string, string][]): Promise<void> {
  let text = await readFile(path, 'utf8');
  for (const [before, after] of replacements) {
    if (!text.includes(before)) throw new Error(`${path} lacks ${before}`);
    text = text.replaceAll(before, after);
  }
  await writeFile(path, text);
}
