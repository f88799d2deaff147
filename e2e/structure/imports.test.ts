import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  asFolderGraph,
  findCycles,
  findUpwardImports,
  type ImportGraph,
  listSpecifiers,
  readImportGraph,
} from '#e2e/structure/import-graph.ts';

const root = join(import.meta.dirname, '..', '..');
const graph = readImportGraph(root);

/** The layers of ARCHITECTURE.md, from the top down. Folders of one line do not import each other. */
const layers = [
  ['server/main.ts'],
  ['server/command'],
  ['server/command/doctor'],
  ['server/runtime'],
  ['server/runtime/metrics'],
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
  ['db/operations'],
  ['db/embedded'],
  ['db'],
  ['db/driver', 'db/schema'],
  ['platform/net'],
  ['platform/log'],
  ['platform/config', 'platform/queues'],
  ['server'],
];

/** What pages and the tests' own parts may import; everything else of the project is above them. */
const allowed: Record<string, string[]> = {
  'app/ui': ['app/ui', 'app/language', 'server', 'platform'],
  app: ['app', 'server', 'platform'],
  bench: ['bench', 'e2e/support', 'server', 'db', 'platform'],
  e2e: ['e2e', 'server', 'db', 'platform', 'app'],
};

const isIn = (file: string, folders: string[]) => folders.some((folder) => file.startsWith(`${folder}/`));

const graphOf = (imports: Record<string, string[]>): ImportGraph =>
  new Map(Object.entries(imports).map(([name, targets]) => [name, new Set(targets)]));

test('no file imports itself through others', () => {
  expect(findCycles(graph)).toEqual([]);
});

test('no folder imports itself through others', () => {
  expect(findCycles(asFolderGraph(graph))).toEqual([]);
});

test('server and db import downwards only', () => {
  expect(findUpwardImports(graph, layers)).toEqual([]);
});

test.each(Object.entries(allowed))('%s imports only what it may', (folder, targets) => {
  const broken = [...graph]
    .filter(([file]) => file.startsWith(`${folder}/`))
    .flatMap(([file, imported]) => [...imported].map((target) => ({ file, target })))
    .filter(({ target }) => !isIn(target, targets));
  expect(broken.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

test('a planted cycle is found between files and between folders', () => {
  const planted = graphOf({
    'server/keys/keys.ts': ['server/keys/alarms.ts', 'server/audit/record.ts'],
    'server/keys/alarms.ts': ['server/keys/keys.ts'],
    'server/audit/record.ts': ['server/keys/names.ts'],
    'server/keys/names.ts': [],
  });
  expect(findCycles(planted)).toEqual([['server/keys/alarms.ts', 'server/keys/keys.ts']]);
  expect(findCycles(asFolderGraph(planted))).toEqual([['server/audit', 'server/keys']]);
});

test('a planted import upwards or sideways is found', () => {
  const planted = graphOf({
    'server/keys/keys.ts': ['server/sends/by-key.ts', 'server/inbox/inbox.ts', 'platform/log/log.ts', 'app/page.tsx'],
    'platform/log/log.ts': ['db/client.ts'],
    'db/client.ts': ['db/driver/dial.ts', 'platform/config/settings.ts'],
  });
  expect(findUpwardImports(planted, layers)).toEqual([
    'server/keys/keys.ts → server/sends/by-key.ts',
    'server/keys/keys.ts → server/inbox/inbox.ts',
    'server/keys/keys.ts → app/page.tsx',
    'platform/log/log.ts → db/client.ts',
  ]);
});

test('the service never loads drizzle, which describes the schema: 0.4 s and 150 MB', () => {
  const readers = [...graph.keys()].filter((file) => !file.startsWith('db/schema/'));
  const imported = readers.flatMap((file) => listSpecifiers(file, readFileSync(join(root, file), 'utf8'), false));
  expect(imported.filter((specifier) => specifier.startsWith('drizzle'))).toEqual([]);
  const loaded = readImportGraph(root, { withTypes: false });
  expect([...loaded].filter(([file, to]) => !file.startsWith('db/schema/') && isInSchema(to))).toEqual([]);
});

const isInSchema = (targets: ReadonlySet<string>) => [...targets].some((target) => target.startsWith('db/schema/'));

test('every form of import is read', () => {
  const text = `
    import type { A } from './a.ts';
    import './b.css';
    export * from './c.ts';
    export { d } from './d.ts';
    const e = import('./e.ts');`;
  expect(listSpecifiers('example.ts', text)).toEqual(['./a.ts', './b.css', './c.ts', './d.ts', './e.ts']);
});
