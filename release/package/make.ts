import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceVersion } from '#platform/config/version.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';
import { listContents } from './contents.ts';
import { type Platform, platforms } from './platforms.ts';
import { type Entries, writeArchive } from './tar.ts';

const root = join(import.meta.dirname, '..', '..');

/** Where a package is written, and whether it brings PostgreSQL and is compressed. */
export type PackageOptions = { platform: Platform; withPostgres: boolean; folder: string; isCompressed?: boolean };

/** A finished archive: its path, its SHA-256, and the size of its files in bytes. */
export type Package = { file: string; sha256: string; unpackedBytes: number };

/**
 * Makes an archive with everything that runs on a platform, its checksum and its bill of materials.
 * Builds the pages if their sources changed.
 */
export async function makePackage({
  platform,
  withPostgres,
  folder,
  isCompressed = true,
}: PackageOptions): Promise<Package> {
  await buildIfNeeded(() => process.stdout.write('Building the pages.\n'));
  const { entries, bill, time } = await listContents(platform, withPostgres);
  const name = `staff-notification-${serviceVersion()}-${platform}${withPostgres ? '' : '-without-postgres'}`;
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.tar${isCompressed ? '.gz' : ''}`);
  const sha256 = await writeArchive(file, name, entries, { time, isCompressed });
  await writeFile(`${file}.sha256`, `${sha256}  ${file.slice(folder.length + 1)}\n`);
  await writeFile(join(folder, `${name}.cdx.json`), bill);
  return { file, sha256, unpackedBytes: await measure(entries) };
}

async function measure(entries: Entries): Promise<number> {
  const sizes = [...entries.values()].map(async (entry) => {
    if ('from' in entry) return (await stat(entry.from)).size;
    return 'content' in entry ? Buffer.byteLength(entry.content) : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const usage = `Usage: npm run package -- [--platform ${platforms.join('|')}] [--without-postgres] [--to FOLDER] [--uncompressed]

Writes an archive with everything that runs, its checksum and its bill of materials to dist/, or to
FOLDER. The default platform is the one of this machine.`;

function readPlatform(given: string): Platform | null {
  return platforms.find((platform) => platform === given) ?? null;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string' },
      'without-postgres': { type: 'boolean' },
      to: { type: 'string' },
      uncompressed: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const platform = readPlatform(values.platform ?? `${process.platform}-${process.arch}`);
  if (values.help || platform === null) {
    process.stdout.write(`${usage}\n`);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const withPostgres = !values['without-postgres'];
  const folder = resolve(values.to ?? join(root, 'dist'));
  const made = await makePackage({ platform, withPostgres, folder, isCompressed: !values.uncompressed });
  const { size } = await stat(made.file);
  const asMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  process.stdout.write(
    `${made.file}: ${asMegabytes(size)}, ${asMegabytes(made.unpackedBytes)} unpacked\nSHA-256 ${made.sha256}\n`,
  );
}

if (import.meta.main) await run();
