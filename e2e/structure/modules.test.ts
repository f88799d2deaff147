import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

const listModules = (...folders: string[]) =>
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules/'));

const parse = (file: string, text = readFileSync(join(root, file), 'utf8')) => ({ text, ...readTree(file, text) });

function readTree(file: string, text: string): Pick<ParseResult, 'program' | 'module' | 'comments'> {
  const { program, module, comments } = parseSync(file, text);
  return { program, module, comments };
}

/** The modules of which a module imports more than types. */
const listValueImports = ({ module }: ReturnType<typeof parse>) =>
  module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);

/** Whether a module of the project is not one of the pages. */
const isDomain = (specifier: string) => /^#(?:server|platform)\//.test(specifier);

/** Whether a module and what it imports is code of server/ and platform/ alone, or reads CSV: no Node, no database. */
const isPure = (specifier: string): boolean =>
  specifier === 'papaparse' || (isDomain(specifier) && listValueImports(parse(specifier.slice(1))).every(isPure));

const hasDirective = ({ program }: ReturnType<typeof parse>, name: string) =>
  program.body.some((one) => 'directive' in one && one.directive === name);

/** The modules of app/ that a module loads, at once or later. A server action is called, not loaded. */
function listLoaded(one: ReturnType<typeof parse>): string[] {
  const later = one.module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    one.text.slice(start + 1, end - 1),
  );
  return [...listValueImports(one), ...later]
    .filter((target) => /^#app\/.*\.tsx?$/.test(target))
    .map((target) => target.slice(1))
    .filter((file) => !hasDirective(parse(file), 'use server'));
}

test('code in the browser imports no zod, and of server/ only modules without packages and database', () => {
  const inBrowser = new Set(listModules('app').filter((file) => hasDirective(parse(file), 'use client')));
  for (const file of inBrowser) for (const loaded of listLoaded(parse(file))) inBrowser.add(loaded);
  expect(inBrowser.size).toBeGreaterThan(120);
  const wrong = [...inBrowser].flatMap((file) =>
    listValueImports(parse(file))
      .filter((target) => target === 'zod' || (isDomain(target) && !isPure(target)))
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('no file or folder is named after nothing', () => {
  const empty = /(^|\/)(utils?|lib|helpers?|common|misc|types|shared)(\/|\.tsx?$)/;
  expect(listModules('app', 'server', 'db', 'platform', 'e2e', 'bench').filter((file) => empty.test(file))).toEqual([]);
});

/** The names that a module gives to variables, functions, types and properties. */
function listNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(listNames);
  if (typeof node !== 'object' || node === null) return [];
  const own = 'type' in node && node.type === 'Identifier' && 'name' in node ? [String(node.name)] : [];
  return [...own, ...Object.values(node).flatMap(listNames)];
}

const wireNames = ['judul', 'isi', 'jenis', 'terkirim', 'peran', 'nama', 'karyawan', 'perusahaan', 'aksi'];

test('the wire names of the API are names in server/api alone', () => {
  const isWire = (name: string) => wireNames.includes(name);
  const files = listModules('server', 'db', 'platform').filter((file) => !file.endsWith('.test.ts'));
  const withWireNames = files.filter((file) => listNames(parse(file).program).some(isWire));
  expect(withWireNames).toContain('server/api/send.ts');
  expect(withWireNames.filter((file) => !file.startsWith('server/api/'))).toEqual([]);
});
