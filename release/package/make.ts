import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceVersion } from '#platform/config/version.ts';
import { buildIfNeeded } from '#server/runtime/build-pages.ts';
import { listContents } from './contents.ts';
import { writeArchive } from './tar.ts';

const root = join(import.meta.dirname, '..', '..');

const usage = `Usage: npm run package -- [--platform linux-arm64] [--without-postgres] [--to FOLDER] [--uncompressed]

Writes an archive with everything that runs on a Linux as this one, or of another architecture, and its
checksum, to dist/ or to FOLDER.`;

// Builds the pages first if their sources changed.
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'without-postgres': { type: 'boolean' },
      platform: { type: 'string' },
      to: { type: 'string' },
      uncompressed: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help || process.platform !== 'linux') {
    process.stdout.write(`${usage}\n`);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const withPostgres = !values['without-postgres'];
  const isCompressed = !values.uncompressed;
  const folder = resolve(values.to ?? join(root, 'dist'));
  await buildIfNeeded(() => process.stdout.write('Building the pages.\n'));
  const platform = values.platform ?? `${process.platform}-${process.arch}`;
  const { entries, time } = await listContents(platform, withPostgres);
  const name = `staff-notification-${serviceVersion()}-${platform}${withPostgres ? '' : '-without-postgres'}`;
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.tar${isCompressed ? '.gz' : ''}`);
  const sha256 = await writeArchive(file, name, entries, { time, isCompressed });
  await writeFile(`${file}.sha256`, `${sha256}  ${file.slice(folder.length + 1)}\n`);
  const { size } = await stat(file);
  process.stdout.write(`${file}: ${(size / 1e6).toFixed(0)} MB\nSHA-256 ${sha256}\n`);
}

if (import.meta.main) await run();
