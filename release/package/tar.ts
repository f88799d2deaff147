import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/** A file of an archive: its contents, where they are on disk, or what it links to. */
export type Entry = { isProgram?: boolean } & ({ content: string | Buffer } | { from: string } | { link: string });

/** The files of an archive by their path in it. */
export type Entries = Map<string, Entry>;

/**
 * Writes a tar file below one folder with GNU tar, compressed or not. The same entries make the same
 * bytes: they are sorted, belong to root and have the same `time`. Returns its SHA-256.
 */
export async function writeArchive(
  file: string,
  folder: string,
  entries: Entries,
  { time, isCompressed }: { time: Date; isCompressed: boolean },
): Promise<string> {
  const stage = await mkdtemp(join(dirname(file), '.package-'));
  try {
    for (const [name, entry] of entries) await writeEntry(join(stage, folder, name), entry);
    const same = ['--sort=name', `--mtime=@${time.getTime() / 1000}`, '--owner=root:0', '--group=root:0'];
    const compression = isCompressed ? ['--use-compress-program=gzip -9n'] : [];
    const args = ['-C', stage, '--mode=u=rwX,go=rX', ...same, ...compression, '-cf', file, folder];
    await promisify(execFile)('tar', args);
  } finally {
    await rm(stage, { recursive: true });
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function writeEntry(path: string, entry: Entry): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if ('link' in entry) return symlink(entry.link, path);
  await ('content' in entry ? writeFile(path, entry.content) : copyFile(entry.from, path));
  await chmod(path, entry.isProgram ? 0o755 : 0o644);
}
