import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#harness/service.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'docs/security.md',
  'docs/operations.md',
];

test.each(pages)('every file that %s names exists', async (page) => {
  const text = await readFile(join(root, page), 'utf8');
  const named = text.match(
    /(?<=[`(])(?:app|bench|db|docs|e2e|examples|harness|messages|public|server|supply)\/[\w./-]+(?=[`)])/g,
  );
  expect((named ?? []).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
