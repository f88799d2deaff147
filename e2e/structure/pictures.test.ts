import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, hashOfPage, pages, takenFile } from '#e2e/pictures/pictures.ts';
import { root } from '#e2e/support/service/service.ts';

const taken = JSON.parse(readFileSync(takenFile, 'utf8')) as Record<string, string>;

test('each picture shows its page as its files are now; otherwise run npm run pictures', () => {
  const now = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, hashOfPage(page)]));
  expect(taken).toEqual(now);
});

test('each picture stands in README.md or docs/design.md, and all of them are less than 1.2 MB', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const shown = [...`${read('README.md')}${read('docs/design.md')}`.matchAll(/pictures\/([\w-]+)\.png/g)].map(
    ([, name]) => name,
  );
  expect(new Set(shown)).toEqual(new Set(Object.keys(pages)));
  const files = readdirSync(folder).filter((file) => file.endsWith('.png'));
  expect(files.map((file) => file.replace('.png', '')).sort()).toEqual(Object.keys(pages).sort());
  expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(1_200_000);
});
