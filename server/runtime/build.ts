import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildEnv, buildFolder } from '#server/env.ts';
import { compressFolder } from '#server/runtime/compress.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = [
  'app',
  'server',
  'db',
  'messages',
  'examples',
  'public',
  'next.config.ts',
  'proxy.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const served = join(root, '.next');
const stamp = join(served, 'built-from');
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** The pages could not be built; the message is one sentence, the details were printed. */
export class BuildError extends Error {}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) await addTo(hash, join(root, source));
  return hash.digest('hex');
}

async function addTo(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) hash.update(await readFile(path).catch(() => ''));
  else
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.endsWith('.test.ts')) continue;
      hash.update(entry.name);
      await addTo(hash, join(path, entry.name));
    }
}

/**
 * Builds the pages unless the last finished build was made from these very sources. The build is made beside the one that may be
 * serving and takes its place when it is finished; scripts and styles of the last week stay, for pages that are still open. Prints Next's
 * output only when it fails; throws `BuildError` then, and nothing has changed.
 */
export async function buildIfNeeded(announce: () => void = () => {}): Promise<void> {
  const wanted = await hashSources();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  announce();
  const fresh = join(root, buildFolder);
  await rm(fresh, { recursive: true, force: true });
  // The types of the build before name pages that may be gone by now, and would be checked with the new ones.
  await rm(join(served, 'types'), { recursive: true, force: true });
  await build();
  await compressFolder(join(fresh, 'static'));
  await writeFile(join(fresh, 'built-from'), wanted);
  await keepStatic(join(served, 'static'), join(fresh, 'static'));
  const old = `${served}-old`;
  await rm(old, { recursive: true, force: true });
  await rename(served, old).catch(() => {});
  await rename(fresh, served);
  // Where `next dev` works, perhaps at this moment.
  await rename(join(old, 'dev'), join(served, 'dev')).catch(() => {});
  await rm(old, { recursive: true, force: true });
  await pointTypes();
}

async function build(): Promise<void> {
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const options = { cwd: root, env: buildEnv(), stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  const made = spawn(process.execPath, [next, 'build'], options);
  let output = '';
  for (const stream of [made.stdout, made.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  const code = await new Promise((resolve) => made.once('close', resolve));
  if (code === 0) return;
  process.stderr.write(output);
  await rm(join(root, buildFolder), { recursive: true, force: true });
  throw new BuildError('The pages could not be built; see the lines above.');
}

// Their names follow from what is in them, so nothing is written over.
async function keepStatic(from: string, to: string): Promise<void> {
  if (!(await stat(from).catch(() => null))) return;
  const recent = async (path: string) => {
    const found = await stat(path);
    return found.isDirectory() || found.mtimeMs > Date.now() - keptMs;
  };
  await cp(from, to, { recursive: true, force: false, preserveTimestamps: true, filter: recent });
}

// Next notes the folder it built in; the types are where the build is now.
async function pointTypes(): Promise<void> {
  const file = join(root, 'next-env.d.ts');
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text.includes(buildFolder)) await writeFile(file, text.replaceAll(buildFolder, '.next'));
}

if (import.meta.main) await buildIfNeeded();
