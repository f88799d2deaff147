import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { childEnv } from '#server/env.ts';

const root = join(import.meta.dirname, '..');
const sources = [
  'app',
  'server',
  'db',
  'messages',
  'public',
  'next.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const stamp = join(root, '.next', 'built-from');

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
      hash.update(entry.name);
      await addTo(hash, join(path, entry.name));
    }
}

/**
 * Builds the pages unless the last finished build was made from these very sources. Prints Next's output only
 * when it fails; throws `BuildError` then.
 */
export async function buildIfNeeded(announce: () => void = () => {}): Promise<void> {
  const wanted = await hashSources();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  announce();
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const env = childEnv({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
  const build = spawn(process.execPath, [next, 'build'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [build.stdout, build.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  const code = await new Promise((resolve) => build.once('close', resolve));
  if (code !== 0) {
    process.stderr.write(output);
    throw new BuildError('The pages could not be built; see the lines above.');
  }
  await writeFile(stamp, wanted);
}

if (import.meta.main) await buildIfNeeded();
