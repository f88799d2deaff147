import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import indonesian from '#messages/id.json' with { type: 'json' };

const app = import.meta.dirname;
const read = (file: string) => readFileSync(join(app, file), 'utf8');

// What a file brings along when it runs: neither its types, nor actions, which stay on the server.
function listImports(file: string): string[] {
  const text = read(file).replace(/import type [^;]*;/g, '');
  const found = [...text.matchAll(/(?:from |import\(|import )'#app\/([^']+\.tsx?)'/g)].map(([, path = '']) => path);
  return found.filter((path) => !read(path).startsWith("'use server'"));
}

function listUsed(file: string): string[] {
  const text = read(file);
  const named = [...text.matchAll(/useTranslations\('(\w+)/g)];
  const whole = text.includes('useTranslations()') ? [...text.matchAll(/['`](\w+)\.[\w$]/g)] : [];
  return [...named, ...whole].flatMap(([, name = '']) => (name in indonesian ? [name] : []));
}

const listGiven = (file: string): string[] =>
  [...read(file).matchAll(/<Texts\s+of=\{\[([^\]]*)\]/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []);

/**
 * The texts that a file's client components use, and those that its server components give them.
 */
function look(entry: string): { used: string[]; given: string[] } {
  const [used, given, seen] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const visit = (file: string, above: boolean) => {
    const client = above || read(file).startsWith("'use client'");
    if (seen.has(`${file} ${client}`)) return;
    seen.add(`${file} ${client}`);
    for (const name of client ? listUsed(file) : []) used.add(name);
    for (const name of client ? [] : listGiven(file)) given.add(name);
    for (const path of listImports(file)) visit(path, client);
  };
  visit(entry, false);
  return { used: [...used], given: [...given] };
}

function listLayouts(page: string): string[] {
  const above = dirname(page) === '.' ? [] : listLayouts(dirname(page));
  const own = join(dirname(page), 'layout.tsx');
  return existsSync(join(app, own)) && own !== page ? [...above, own] : above;
}

const pages = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(^|\/)(page|layout|error)\.tsx$/.test(file),
);

test.each(pages)('the client gets every text that it may show: %s', (page) => {
  const around = [...listLayouts(page), page].map(look);
  const given = new Set(around.flatMap((one) => one.given));
  expect(around.flatMap(({ used }) => used).filter((name) => !given.has(name))).toEqual([]);
});
