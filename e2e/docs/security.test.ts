import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#harness/service.ts';

test('docs/security.md names no test that is not there', async () => {
  const tests: string[] = [];
  for await (const file of glob('{app,db,e2e,server}/**/*.{test,spec}.ts', { cwd: root }))
    tests.push(await readFile(join(root, file), 'utf8'));
  const all = tests.join('\n');
  const named = (await readFile(join(root, 'docs/security.md'), 'utf8')).match(/(?<=“)[^”]+/g) ?? [];
  expect(named.length).toBeGreaterThan(70);
  expect(named.filter((title) => !all.includes(title) && title !== 'Sign out')).toEqual([]);
});
