import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { asFolderGraph, findCycles, findUpward, listSpecifiers, readImportGraph } from '#e2e/structure/import-graph.ts';
import { sources } from '#server/runtime/build-pages.ts';

const root = join(import.meta.dirname, '..', '..');

const listModules = (...folders: string[]) =>
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules/'));

function parse(file: string) {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, module } = parseSync(file, text);
  return { text, program, module };
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

test.each(['platform/config/next-internals', 'platform/net/node-internals'])('a test has each export of %s', (file) => {
  const { module } = parse(`${file}.ts`);
  const exported = module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name));
  const used = parse(`${file}.test.ts`).module.staticImports.filter((one) => one.moduleRequest.value === `#${file}.ts`);
  expect(used.flatMap(({ entries }) => entries.map((one) => one.importName.name)).sort()).toEqual(exported.sort());
});

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

test('no file or folder has a name that says nothing, such as utils', () => {
  const empty = /(^|\/)(utils?|lib|helpers?|common|misc|types|shared)(\/|\.tsx?$)/;
  expect(listModules('app', 'server', 'db', 'platform', 'e2e', 'bench').filter((file) => empty.test(file))).toEqual([]);
});

/** The names that a module gives to variables, functions, types and properties. */
function listNames(file: string): string[] {
  const names: string[] = [];
  new Visitor({
    Identifier({ name }) {
      names.push(name);
    },
  }).visit(parse(file).program);
  return names;
}

const wireNames = ['judul', 'isi', 'jenis', 'terkirim', 'peran', 'nama', 'karyawan', 'perusahaan', 'aksi'];

test('the wire names of the API are names in server/api alone', () => {
  const isWire = (name: string) => wireNames.includes(name);
  const files = listModules('server', 'db', 'platform').filter((file) => !file.endsWith('.test.ts'));
  const withWireNames = files.filter((file) => listNames(file).some(isWire));
  expect(withWireNames).toContain('server/api/send.ts');
  expect(withWireNames.filter((file) => !file.startsWith('server/api/'))).toEqual([]);
});

const graph = readImportGraph(root);

/** The layers of ARCHITECTURE.md, from the top down. Folders of one line do not import each other. */
const layers = [
  ['server/command'],
  ['server/command/doctor'],
  ['server/runtime'],
  ['server/runtime/metrics-server'],
  ['server/front'],
  ['server/api', 'server/jobs'],
  ['server/sends/statistics'],
  ['server/feed', 'server/sends/history', 'server/sends/planned', 'server/companies'],
  ['server/sends/manual'],
  ['server/sends'],
  ['server/employees', 'server/push'],
  ['server/inbox', 'server/keys', 'server/exports'],
  ['server/accounts/owners'],
  ['server/accounts/sign-in'],
  ['server/accounts/sessions'],
  ['server/audit', 'server/notifications'],
  ['db/embedded'],
  ['db'],
  ['db/driver', 'db/schema'],
  ['platform/net'],
  ['platform/log'],
  ['platform/config'],
  ['server'],
  ['platform'],
];

/** What pages and the tests' own parts may import; everything else of the project is above them. */
const allowed: Record<string, string[]> = {
  'app/ui': ['app/ui', 'app/language', 'server', 'platform'],
  app: ['app', 'server', 'platform'],
  bench: ['bench', 'e2e/support', 'server', 'db', 'platform'],
  e2e: ['e2e', 'server', 'db', 'platform', 'app'],
};

const isIn = (file: string, folders: string[]) => folders.some((folder) => file.startsWith(`${folder}/`));

test('no file and no folder imports itself through others; server and db import downwards only', () => {
  expect(findCycles(graph)).toEqual([]);
  expect(findCycles(asFolderGraph(graph))).toEqual([]);
  expect(findUpward(graph, layers)).toEqual([]);
});

test.each(Object.entries(allowed))('%s imports only what it may', (folder, targets) => {
  const broken = [...graph]
    .filter(([file]) => file.startsWith(`${folder}/`))
    .flatMap(([file, imported]) => [...imported].map((target) => ({ file, target })))
    .filter(({ target }) => !isIn(target, targets));
  expect(broken.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

test('drizzle is loaded by db/drizzle.cjs only: its ES modules take 0.5 s and 250 MB', () => {
  const importing = [...graph.keys()].filter((file) =>
    listSpecifiers(file, readFileSync(join(root, file), 'utf8'), false).some((name) => name.startsWith('drizzle-orm')),
  );
  expect(importing).toEqual([]);
});

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

// Everything that `npm run build && npm start` loads.
function listImports(): Map<string, string> {
  const patterns = [...sources, 'release/run.mjs'].flatMap((path) => [path, `${path}/**/*`]);
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
