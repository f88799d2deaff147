import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  asFolderGraph,
  findCycles,
  findUpwardImports,
  listSpecifiers,
  readImportGraph,
} from '#e2e/structure/import-graph.ts';
import { sources } from '#server/runtime/build.ts';

const root = join(import.meta.dirname, '..', '..');
const graph = readImportGraph(root);

/** The layers of ARCHITECTURE.md, from the top down. Folders of one line do not import each other. */
const layers = [
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

test('the service never loads drizzle, which describes the schema: 0.4 s and 150 MB', () => {
  const readers = [...graph.keys()].filter((file) => !file.startsWith('db/schema/'));
  const imported = readers.flatMap((file) => listSpecifiers(file, readFileSync(join(root, file), 'utf8'), false));
  expect(imported.filter((specifier) => specifier.startsWith('drizzle'))).toEqual([]);
  const loaded = readImportGraph(root, { withTypes: false });
  expect([...loaded].filter(([file, to]) => !file.startsWith('db/schema/') && isInSchema(to))).toEqual([]);
});

const isInSchema = (targets: ReadonlySet<string>) => [...targets].some((target) => target.startsWith('db/schema/'));

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
