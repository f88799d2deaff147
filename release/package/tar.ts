import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A file of an archive: its contents, where they are on disk, or what it links to. */
export type Entry = { isProgram?: boolean } & ({ content: string | Buffer } | { from: string } | { link: string });

/** The files of an archive by their path in it. */
export type Entries = Map<string, Entry>;

type ArchiveOptions = { time: Date; isCompressed: boolean };

/**
 * Writes a tar file below one folder, compressed or not. The same entries
 * make the same bytes: they are sorted, belong to root and have the same `time`. Returns its SHA-256.
 */
export async function writeArchive(
  file: string,
  folder: string,
  entries: Entries,
  { time, isCompressed }: ArchiveOptions,
): Promise<string> {
  const archive = pack();
  const bytes = archive as unknown as AsyncIterable<Buffer>;
  const compressed = isCompressed ? createGzip({ level: 9 }) : new PassThrough();
  const written = pipeline(bytes, compressed, createWriteStream(file));
  const common = { ...owner, mtime: time };
  const names = [...entries.keys()].sort();
  for (const name of listFolders(folder, names)) archive.entry({ ...common, name, type: 'directory', mode: 0o755 });
  for (const name of names) {
    const entry = entries.get(name);
    if (!entry) continue;
    const header = { ...common, name: `${folder}/${name}` };
    if ('link' in entry) archive.entry({ ...header, type: 'symlink', linkname: entry.link, mode: 0o777 });
    else {
      const content = 'content' in entry ? entry.content : await readFile(entry.from);
      const added = new Promise<void>((resolve, reject) => {
        const mode = entry.isProgram ? 0o755 : 0o644;
        archive.entry({ ...header, mode }, content, (error) => (error ? reject(error) : resolve()));
      });
      await added;
    }
  }
  archive.finalize();
  await written;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const owner = { uid: 0, gid: 0, uname: 'root', gname: 'root' };

function listFolders(root: string, names: string[]): string[] {
  const folders = new Set<string>([root]);
  for (const name of names) {
    const parts = name.split('/').slice(0, -1);
    for (const at of parts.keys()) folders.add([root, ...parts.slice(0, at + 1)].join('/'));
  }
  return [...folders].sort();
}
