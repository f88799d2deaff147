import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
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
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await toBrotli(content, { params: quality }));
  await writeFile(`${path}.gz`, await toGzip(content, { level: constants.Z_BEST_COMPRESSION }));
}
