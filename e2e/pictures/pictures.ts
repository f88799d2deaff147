import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { readImportGraph } from '#e2e/structure/import-graph.ts';
import { root } from '#e2e/support/service/service.ts';

/** The folder of the pictures, and the file that says from which source each was taken. */
export const folder = join(root, 'docs', 'pictures');
export const takenFile = join(folder, 'taken.json');

/** The file of the page that each picture shows. */
export const pages = {
  'bell-desktop': 'app/embed/page.tsx',
  'composer-phone': 'app/owner/sends/new/page.tsx',
  'docs-desktop': 'app/docs/[[...slug]]/page.tsx',
  'employees-desktop': 'app/owner/employees/(list)/page.tsx',
  'home-desktop': 'app/owner/page.tsx',
  'inbox-phone': 'app/portal/notifications/(list)/page.tsx',
  'key-desktop': 'app/owner/keys/(list)/page.tsx',
  'login-phone': 'app/login/page.tsx',
  'notification-phone': 'app/portal/notifications/[no]/page.tsx',
  'pop-up-desktop': 'app/portal/notifications/(list)/page.tsx',
  'send-desktop': 'app/owner/sends/[no]/page.tsx',
  'settings-phone': 'app/owner/settings/company/page.tsx',
} as const;

export type Picture = keyof typeof pages;

let graph: ReturnType<typeof readImportGraph> | undefined;

/** Hashes what a page draws by itself: the modules of its subject's folder, without comments and layout. */
export function hashOfPage(page: string): string {
  graph ??= readImportGraph(root);
  const subject = `${dirname(page).split('/').slice(0, 3).join('/')}/`;
  const own = new Set([page]);
  for (const file of own)
    for (const target of graph.get(file) ?? [])
      if (target.startsWith(subject) && target.endsWith('.tsx')) own.add(target);
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const trees = [...own].sort().map((file) => JSON.stringify(parseSync(file, read(file)).program, withoutPlaces));
  const styles = globSync(`${subject}*.css`, { cwd: root })
    .sort()
    .map((file) => read(file).replace(/\s+/g, ' '));
  return createHash('sha256')
    .update([...trees, ...styles].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

const places = new Set(['start', 'end', 'range', 'loc', 'hashbang', 'raw']);

function withoutPlaces(name: string, value: unknown): unknown {
  if (places.has(name)) return undefined;
  if (name === 'arguments' && Array.isArray(value)) return value.filter(({ type }) => type !== 'Literal');
  return value;
}
