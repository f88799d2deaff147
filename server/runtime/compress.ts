import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { constants } from 'node:zlib';
import { encodeText } from '#platform/net/encodings.ts';

const textExtensions = new Set(['.js', '.css', '.json', '.map', '.svg', '.txt']);
const minBytes = 1024;

/**
 * Compresses the text files of a folder that have at least 1 KiB, at the highest level, to `.br`
 * and `.gz` files beside them. Files that have a `.br` file already are skipped.
 */
export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const present = new Set(names);
  const uncompressed = names.filter((name) => textExtensions.has(extname(name)) && !present.has(`${name}.br`));
  await Promise.all(uncompressed.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < minBytes) return;
  const { br, gzip } = await encodeText(content, constants.BROTLI_MAX_QUALITY);
  await writeFile(`${path}.br`, br);
  await writeFile(`${path}.gz`, gzip);
}
