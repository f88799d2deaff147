import { join } from 'node:path';

/**
 * Where Node keeps compiled modules between starts, beside the pages that a build made. Not in the
 * system's folder for temporary files, where others could put code. A folder that cannot be written
 * only makes a start slower.
 */
export const compileCacheFolder = join(import.meta.dirname, '..', '.next', 'compiled');
