import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Which files, or folders, each file or folder imports. Paths are relative to the project's root. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const folders = ['app', 'bench', 'db', 'e2e', 'platform', 'server'];
const isModule = /\.tsx?$/;
const isTest = /\.(?:test|spec)\.ts$/;
const isUnread = /(?:^|\/)(?:node_modules|generators|\.out)(?:\/|$)/;

/** Reads the imports of every module but tests, those of types too unless `withTypes` is false. */
export function readImportGraph(root: string, { withTypes = true } = {}): ImportGraph {
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && isModule.test(entry.name) && !isTest.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !isUnread.test(file));
  const known = new Set(files);
  const importsOf = (file: string) => {
    const text = readFileSync(join(root, file), 'utf8');
    const targets = listSpecifiers(file, text, withTypes).map((specifier) => resolveSpecifier(file, specifier));
    return new Set(targets.filter((target) => known.has(target)));
  };
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** What a module imports or re-exports, also by `import('…')`; without `withTypes`, more than types. */
export function listSpecifiers(file: string, text: string, withTypes = true): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const isWanted = (entries: { isType: boolean }[]) =>
    withTypes || entries.length === 0 || entries.some(({ isType }) => !isType);
  return [
    ...staticImports.filter(({ entries }) => isWanted(entries)).map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .filter(({ entries }) => isWanted(entries))
      .flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

// The project writes every path in full: `#server/log.ts` or `./row.tsx`.
function resolveSpecifier(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(file), specifier) : specifier;
}

/** The same graph between folders; the folder of a file is the directory it lies in. */
export function asFolderGraph(graph: ImportGraph): ImportGraph {
  const result = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const folder = dirname(file);
    const imported = result.get(folder) ?? new Set();
    for (const target of targets) if (dirname(target) !== folder) imported.add(dirname(target));
    result.set(folder, imported);
  }
  return result;
}

/** The names that import themselves through others, and those that import one of them. */
export function findCycles(graph: ImportGraph): string[] {
  const left = new Map(graph);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [name, targets] of left) if (![...targets].some((target) => left.has(target))) left.delete(name);
  }
  return [...left.keys()];
}

/** The imports that break the layers, as `from → to`. A file may import of its folder and of lower lines only. */
export function findUpward(graph: ImportGraph, layers: readonly (readonly string[])[]): string[] {
  const places = layers.flatMap((line, level) => line.map((folder) => ({ folder, level })));
  const placeOf = (file: string) =>
    places
      .filter(({ folder }) => file === folder || file.startsWith(`${folder}/`))
      .reduce<(typeof places)[number] | undefined>(
        (best, place) => (best && best.folder.length >= place.folder.length ? best : place),
        undefined,
      );
  return [...graph].flatMap(([file, targets]) => {
    const from = placeOf(file);
    if (!from) return [];
    return [...targets]
      .filter((target) => {
        const to = placeOf(target);
        return to === undefined || (to.folder !== from.folder && to.level <= from.level);
      })
      .map((target) => `${file} → ${target}`);
  });
}
