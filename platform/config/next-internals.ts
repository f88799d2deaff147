// All uses of undocumented behaviour of Next 16. Each export has a test in next-internals.test.ts
// that fails when Next changes it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// A function, because the folder does not exist in the bundle of the pages.
const rootFolder = () => join(import.meta.dirname, '..', '..');

/** Returns the path of Next's command line, as the `bin` of its package names it. */
export const findNextProgram = (): string => join(rootFolder(), 'node_modules', 'next', 'dist', 'bin', 'next');

/**
 * Keeps Next from reading `.env` and files such as `.env.local`. The service reads its settings
 * file itself, and variables that it removed must not come back.
 */
export function keepNextFromReadingFiles(): void {
  process.env.__NEXT_PROCESSED_ENV = 'true';
}

/**
 * Makes Next serve the build in `folder`, a path below the project, with the configuration that the
 * build stored, as the server of `output: 'standalone'` does. Next ignores the `conf` of a custom
 * server. It would load next.config.ts with its compiler, which a package lacks.
 */
export async function serveWithBuiltConfig(folder: string): Promise<void> {
  const built = await readFile(join(rootFolder(), folder, 'required-server-files.json'), 'utf8');
  const { config } = JSON.parse(built) as { config: object };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, distDir: folder });
}

const maxArguments = 4;
const maxDepth = 12;

/**
 * Whether a body has the arguments of a form action as our pages write them: a JSON list of plain
 * values, nested at most 12 deep. The format of React also has references between parts, to files,
 * to streams and to other actions (`"$1"`, `"$F1"`, `"$K1"`). No page needs them, and decoding them
 * can execute an attacker's code (CVE-2025-55182).
 */
export function hasPlainArguments(body: string): boolean {
  try {
    const given: unknown = JSON.parse(body);
    return Array.isArray(given) && given.length <= maxArguments && isPlain(given, maxDepth);
  } catch {
    return false;
  }
}

// The text `$$…` is a text that begins with a dollar. The others are values that JSON lacks.
const plainText = /^(?!\$)|^\$(?:\$|(?:undefined|NaN|-?Infinity|-0)$|D)/;

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return plainText.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((one) => isPlain(one, depth - 1));
}
