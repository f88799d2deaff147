import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#e2e/support/service/service.ts';

const read = (name: string) => JSON.parse(readFileSync(join(root, '.next', name), 'utf8')) as unknown;

const routeOf = read('app-path-routes-manifest.json') as Record<string, string>;

/**
 * All routes of the build (`/owner/audit/[id]`), with a `path` in which parameters have values, so that new ones are
 * tested without being listed. Next's error pages are left out.
 */
export const builtAddresses = Object.entries(routeOf)
  .filter(([, route]) => !route.startsWith('/_'))
  .map(([file, route]) => ({
    route,
    path: route.replace(/\[(?:\.\.\.)?\w+\]/g, '1'),
    kind: file.endsWith('/page') ? ('page' as const) : ('data' as const),
  }));

type References = {
  node: Record<string, { exportedName: string; filename: string; workers: object }>;
  edge: Record<string, unknown>;
};
const references = read('server/server-reference-manifest.json') as References;

/** All server actions of the build: the ids that browsers send, and the paths of the pages that have them. */
export const builtActions = Object.entries(references.node).map(([id, { exportedName, filename, workers }]) => ({
  id,
  name: exportedName,
  file: filename,
  pages: Object.keys(workers).map((worker) => routeOf[worker.replace(/^app/, '')] ?? worker),
}));

export type BuiltAction = (typeof builtActions)[number];

/** Finds an action of the build by name. Throws when there is none. */
export function actionNamed(name: string): BuiltAction {
  const found = builtActions.find((action) => action.name === name);
  if (!found) throw new Error(`${name} is not in the build`);
  return found;
}

/** Lists the entries of the build that are not routes of app/: the proxy file, edge functions, a pages folder. */
export function listOtherEntries(): string[] {
  const atEdge = read('server/middleware-manifest.json') as { middleware: object; functions: object };
  const inNode = read('server/functions-config-manifest.json') as { functions: object };
  const pages = read('server/pages-manifest.json') as object;
  return [
    ...[atEdge.middleware, atEdge.functions, references.edge].flatMap(Object.keys).map((name) => `edge ${name}`),
    ...Object.keys(inNode.functions),
    ...Object.keys(pages).filter((page) => page !== '/404' && page !== '/500'),
  ];
}

/** The scripts and styles that pages load later, by the build's lists of them, which are not in the build. */
export const missingLateFiles = globSync('server/app/**/react-loadable-manifest.json', { cwd: join(root, '.next') })
  .flatMap((list) => Object.values(read(list) as Record<string, { files: string[] }>))
  .flatMap(({ files }) => files)
  .filter((file) => !existsSync(join(root, '.next', file)));
