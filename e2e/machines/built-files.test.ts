import { globSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

test('the build offers scripts, styles and pictures, and no source of a worker', () => {
  const names = globSync(join(root, '.next/static/**/*.*')).map((path) => extname(path.replace(/\.(?:br|gz)$/, '')));
  expect([...new Set(names)].sort()).toEqual(['.css', '.js', '.map', '.png', '.svg']);
});
