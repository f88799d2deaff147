import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

const listPages = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name));

const folders = 'app|bench|bin|db|deploy|docs|e2e|messages|platform|public|release|server';
const path = new RegExp(`(?<=[\`(])(?:${folders})/[\\w./-]+(?=[\`)])`, 'g');

test.each(['.', 'docs', 'docs/decisions'].flatMap(listPages))('every file that %s names exists', (page) => {
  const named = readFileSync(join(root, page), 'utf8').match(path) ?? [];
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});
