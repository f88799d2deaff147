import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#e2e/fixtures/service.ts';

const read = (name: string) => JSON.parse(readFileSync(join(root, '.next', name), 'utf8')) as unknown;

const addressOf = read('app-path-routes-manifest.json') as Record<string, string>;

/** Every address the build answers, as Next writes them (`/owner/audit/[id]`), but for its own error pages. */
export const builtAddresses = Object.values(addressOf).filter((address) => !address.startsWith('/_'));

/** A server action of the build: the id a browser names it by, and the addresses of the pages that have it. */
export type BuiltAction = { id: string; name: string; file: string; pages: string[] };

type References = {
  node: Record<string, { exportedName: string; filename: string; workers: object }>;
  edge: Record<string, unknown>;
};
const references = read('server/server-reference-manifest.json') as References;

/** Every server action of the build. */
export const builtActions: BuiltAction[] = Object.entries(references.node).map(
  ([id, { exportedName, filename, workers }]) => ({
    ...{ id, name: exportedName, file: filename },
    pages: Object.keys(workers).map((worker) => addressOf[worker.replace(/^app/, '')] ?? worker),
  }),
);

/** What of the build would be asked before or beside the pages: there must be nothing (no proxy file, no edge, no pages folder). */
export function listOtherEntries(): string[] {
  const middleware = read('server/middleware-manifest.json') as { middleware: object; functions: object };
  const pages = read('server/pages-manifest.json') as object;
  return [
    ...[middleware.middleware, middleware.functions, references.edge].flatMap(Object.keys),
    ...Object.keys(pages).filter((page) => page !== '/404' && page !== '/500'),
  ];
}
