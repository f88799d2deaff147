import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const texts = new Set(['.js', '.css', '.json', '.map', '.svg', '.txt']);
const leastBytes = 1024;

/**
 * Puts a file of the same name with `.br` and one with `.gz` beside every text of a folder that is over 1 KiB, as small as the methods
 * can: once at the build instead of with every answer. What is there already is left as it is.
 */
export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const present = new Set(names);
  const wanted = names.filter((name) => texts.has(extname(name)) && !present.has(`${name}.br`));
  await Promise.all(wanted.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < leastBytes) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await toBrotli(content, { params: quality }));
  await writeFile(`${path}.gz`, await toGzip(content, { level: constants.Z_BEST_COMPRESSION }));
}
