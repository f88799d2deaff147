import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { constants } from 'node:zlib';
import pLimit from 'p-limit';
import { ifAbsent } from '#platform/absent-file.ts';
import { asBuildId, buildEnv, buildFolder, stampFile } from '#platform/config/build.ts';
import { EnvError } from '#platform/config/checks.ts';
import { findNextProgram } from '#platform/config/next-internals.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { encodeText } from '#platform/net/encodings.ts';

const root = join(import.meta.dirname, '..', '..');
/** The files and folders that the pages are built from, tests left out. */
export const sources = [
  'app',
  'server',
  'platform',
  'db',
  'messages',
  'public',
  'instrumentation.ts',
  'next.config.ts',
  'proxy.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const currentBuild = join(root, '.next');
const maxOpenFiles = 32;

// An unpacked package: its pages are built, and its folder is not written.
const isPackage = () => existsSync(join(root, 'release.json'));

/** The pages are not built. The message is one sentence; after a build, Next's output was printed before. */
export class BuildError extends Error {}

/** The SHA-256 (hex) of the names and contents of all sources of the pages. */
export async function hashSources(): Promise<string> {
  const files = (await Promise.all(sources.map(listFiles))).flat();
  // A process may be allowed few open files.
  const reading = pLimit(maxOpenFiles);
  const read = (file: string) => reading(() => readFile(join(root, file)).catch(ifAbsent(Buffer.alloc(0))));
  const contents = await Promise.all(files.map(read));
  const hash = createHash('sha256');
  for (const [index, file] of files.entries()) hash.update(`${file}\n`).update(contents[index] ?? '');
  return hash.digest('hex');
}

// The files of a folder, tests left out; a file is its own list.
async function listFiles(source: string): Promise<string[]> {
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [source];
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort();
}

/**
 * Builds the pages, unless the last build used the same sources (SHA-256). The build replaces `.next` when it has
 * succeeded; on failure prints Next's output and throws `BuildError`. `announce` runs before it. Does nothing in a
 * package, which contains its build.
 */
export async function buildIfNeeded(announce: () => void = () => {}): Promise<void> {
  if (isPackage()) return;
  const sourcesHash = await hashSources();
  if ((await readHashOfBuild()) === sourcesHash) return;
  announce();
  const fresh = join(root, buildFolder);
  await rm(fresh, { recursive: true, force: true });
  await build(asBuildId(sourcesHash));
  await compressFolder(join(fresh, 'static'));
  await writeFile(join(fresh, stampFile), sourcesHash);
  await removeSources(join(fresh, 'static', 'media'));
  const old = `${currentBuild}-old`;
  await rm(old, { recursive: true, force: true });
  await rename(currentBuild, old).catch(ifAbsent(undefined));
  await rename(fresh, currentBuild);
  // The folder of `next dev`, which may be running, and the one of compiled modules.
  for (const name of ['dev', 'compiled']) await rename(join(old, name), join(currentBuild, name)).catch(() => {});
  await rm(old, { recursive: true, force: true });
  await fixTypesPath();
}

const readHashOfBuild = () => readFile(join(currentBuild, stampFile), 'utf8').catch(ifAbsent(''));

/** Throws `BuildError` when the pages are not built from these sources: a start in production builds nothing. */
export async function requireBuild(): Promise<void> {
  if (isPackage() || (await readHashOfBuild()) === (await hashSources())) return;
  throw new BuildError(
    'The pages are not built, or their sources have changed. Run `npm run build`, then start again.',
  );
}

const textExtensions = new Set(['.js', '.css', '.json', '.map', '.svg', '.txt']);
const minBytes = 1024;

/**
 * Compresses the text files of a folder that have at least 1 KiB, at the highest level, to `.br`
 * and `.gz` files beside them.
 */
export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => textExtensions.has(extname(name)));
  await Promise.all(texts.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < minBytes) return;
  const { br, gzip } = await encodeText(content, constants.BROTLI_MAX_QUALITY);
  await writeFile(`${path}.br`, br);
  await writeFile(`${path}.gz`, gzip);
}

async function build(id: string): Promise<void> {
  const options = { cwd: root, env: buildEnv(id), stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  const child = spawn(process.execPath, [findNextProgram(), 'build'], options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) return;
  console.error(output);
  await rm(join(root, buildFolder), { recursive: true, force: true });
  throw new BuildError('The pages could not be built; the lines above say why.');
}

// Turbopack (16.4.6) takes the URL of a worker's source for a picture, and copies the file. Nothing
// loads the copy: the worker itself is a script in `chunks`.
async function removeSources(folder: string): Promise<void> {
  const names = await readdir(folder).catch(ifAbsent([]));
  for (const name of names.filter((file) => /\.tsx?$/.test(file))) await rm(join(folder, name));
}

// Next writes the build folder into next-env.d.ts; the build has moved since.
async function fixTypesPath(): Promise<void> {
  const file = join(root, 'next-env.d.ts');
  const text = await readFile(file, 'utf8').catch(ifAbsent(''));
  if (text.includes(buildFolder)) await writeFile(file, text.replaceAll(buildFolder, '.next'));
}

if (import.meta.main)
  try {
    loadSettings();
    await buildIfNeeded();
  } catch (error) {
    if (!(error instanceof BuildError || error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
