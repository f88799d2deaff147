import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ifAbsent } from '#platform/absent-file.ts';

const read = (path: string) => readFile(path, 'utf8').catch(ifAbsent('nothing'));

test('a file that does not exist has a substitute, one that cannot be read has none', async () => {
  expect(await read(join(import.meta.dirname, 'none'))).toBe('nothing');
  await expect(read(import.meta.dirname)).rejects.toThrow('EISDIR');
});
