import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSpecifiers } from '#e2e/structure/import-graph.ts';
import { root } from '#e2e/support/service/service.ts';
import { sources } from '#server/runtime/build.ts';

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

// Everything that `npm ci --omit=dev && npm run build && npm start` loads.
function listImports(): Map<string, string> {
  const patterns = [...sources, 'release/prune.mjs'].flatMap((path) => [path, `${path}/**/*`]);
  const files = globSync(patterns, { cwd: root }).filter((file) => /(?<!\.test)\.(?:tsx?|mjs)$/.test(file));
  const found = new Map<string, string>();
  for (const file of files)
    for (const specifier of listSpecifiers(file, readFileSync(join(root, file), 'utf8'), false))
      if (/^[@a-z]/.test(specifier) && !specifier.startsWith('node:')) found.set(packageOf(specifier), file);
  return found;
}

type Lock = { packages: Record<string, { dev?: boolean }> };

test('what is built and started imports no package that an install without tests lacks', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const imported = listImports();
  expect(imported.size).toBeGreaterThan(20);
  expect([...imported].filter(([name]) => packages[`node_modules/${name}`]?.dev)).toEqual([]);
});
