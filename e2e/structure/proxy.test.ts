import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_doesMiddlewareMatch as isMatched } from 'next/experimental/testing/server';
import { expect, test } from 'vitest';
import { config } from '../../proxy.ts';

const root = join(import.meta.dirname, '..', '..');

/** The addresses of files named `name` in app/, as patterns: `invite/[token]/logo` is `invite/[^/]+/logo`. */
const listPatterns = (name: string) =>
  globSync(`app/**/${name}`, { cwd: root })
    .map((file) => file.split('/').slice(1, -1).join('/'))
    .map((path) => path.replace(/\[\.\.\.\w+\]/g, '.+').replace(/\[\w+\]/g, '[^/]+'))
    .sort();

const asAddress = (pattern: string) => `/${pattern.replaceAll('.+', 'a/b').replaceAll('[^/]+', 'a')}`;

// What Next and next.config.ts serve beside the routes: the files of a build, of public/, and the documents.
const files = ['_next/', '[^/]+\\.(?:css|html|ico|js|mjs|png|svg|txt|webmanifest)$', 'docs/.*\\.md$'];

test('the matcher of proxy.ts leaves out each route that answers with data, as the folders say it', () => {
  const byFiles = new RegExp(`^(?:${files.join('|')})`);
  const routes = listPatterns('route.ts').filter((pattern) => !byFiles.test(pattern));
  const catchAll = routes.filter((pattern) => pattern.endsWith('/.+'));
  const isCovered = (route: string) => catchAll.some((all) => all !== route && route.startsWith(all.slice(0, -2)));
  const wanted = [...files, ...routes.filter((route) => !isCovered(route)).map((route) => `${route}$`)];
  expect(config.matcher[1]).toBe(`/((?!${wanted.join('|')}).*)`);
});

test('each page and each action passes proxy.ts, and no file and no data does', () => {
  const passes = (url: string, headers = {}) => isMatched({ config, url, headers });
  const pages = listPatterns('page.tsx').map(asAddress);
  const data = [...listPatterns('route.ts').map(asAddress), ...readdirSync(join(root, 'public')).map((it) => `/${it}`)];
  expect(pages.length + data.length).toBeGreaterThan(80);
  expect(pages.filter((url) => !passes(url))).toEqual([]);
  expect(data.filter((url) => passes(url))).toEqual([]);
  expect(data.filter((url) => !passes(url, { 'next-action': '40ab' }))).toEqual([]);
});
