import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Accepted, acceptedInSources } from '#e2e/compat/accepted.ts';
import { type Finding, type OldestBrowsers, readOldestBrowsers } from '#e2e/compat/features.ts';
import { checkScript } from '#e2e/compat/scripts.ts';
import { checkStyles } from '#e2e/compat/styles.ts';
import { type ImportGraph, readImportGraph } from '#e2e/structure/import-graph.ts';

/** A finding and the file that it is in. */
export type FileFinding = Finding & { file: string };

const isWorker = /\.worker\.ts$/;

const hasDirective = (root: string, file: string, directive: 'use client' | 'use server') =>
  parseSync(file, readFileSync(join(root, file), 'utf8')).program.body.some(
    (one) => 'directive' in one && one.directive === directive,
  );

/**
 * The files that browsers run: those with 'use client', workers, and all that these import. Form
 * actions ('use server') are called over the network.
 */
export function listClientFiles(root: string, graph: ImportGraph): string[] {
  const isRoot = (file: string) => isWorker.test(file) || hasDirective(root, file, 'use client');
  const open = [...graph.keys()].filter((file) => file.startsWith('app/') && isRoot(file));
  const reached = new Set(open);
  for (let file = open.pop(); file; file = open.pop())
    for (const target of graph.get(file) ?? [])
      if (!reached.has(target) && !hasDirective(root, target, 'use server')) {
        reached.add(target);
        open.push(target);
      }
  return [...reached].sort();
}

/** The style sheets within an HTML file, at their lines. */
function listInlineStyles(html: string): string {
  const parts = html.split(/(<\/?style[^>]*>)/);
  return parts.map((part, index) => (index % 4 === 2 ? part : part.replace(/[^\n]/g, ' '))).join('');
}

/** Checks the sources of all pages against the oldest browsers. */
export function checkSources(root: string, oldest: OldestBrowsers): FileFinding[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const list = (pattern: string) => globSync(join(root, pattern)).map((file) => relative(root, file));
  const client = listClientFiles(root, readImportGraph(root, { withTypes: false }));
  const markup = list('app/**/*.tsx').filter((file) => !client.includes(file));
  const of = (file: string, findings: Finding[]) => findings.map((one) => ({ file, ...one }));
  return [
    ...[...client, 'public/service-worker.js'].flatMap((file) => of(file, checkScript(file, read(file), oldest))),
    ...markup.flatMap((file) => of(file, checkScript(file, read(file), oldest, 'markup'))),
    ...list('app/**/*.css').flatMap((file) => of(file, checkStyles(file, read(file), oldest))),
    ...list('public/*.html').flatMap((file) => of(file, checkStyles(file, listInlineStyles(read(file)), oldest))),
  ];
}

type BuildManifest = { polyfillFiles: string[] };

/**
 * Checks the scripts and style sheets of the last build, those of libraries included. Files that are
 * kept of earlier builds are left out, and the polyfills, which no browser with modules loads.
 */
export function checkBuild(root: string, oldest: OldestBrowsers): FileFinding[] {
  const folder = join(root, '.next');
  const began = statSync(folder).birthtimeMs;
  const { polyfillFiles } = JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8')) as BuildManifest;
  const files = globSync(join(folder, 'static/**/*.{js,css}'))
    .filter((path) => statSync(path).mtimeMs >= began)
    .map((path) => relative(folder, path))
    .filter((file) => !polyfillFiles.includes(file));
  const checkFile = (file: string) =>
    (file.endsWith('.css') ? checkStyles : checkScript)(file, readFileSync(join(folder, file), 'utf8'), oldest);
  return files.flatMap((file) => checkFile(file).map((one) => ({ file, ...one })));
}

const covers = ({ feature, files }: Accepted, finding: FileFinding) =>
  feature === finding.feature && (files === undefined || files.some((name) => finding.file.includes(name)));

/** The findings that are not accepted, and the accepted entries that match nothing, as lines. */
export function judge(findings: FileFinding[], accepted: readonly Accepted[]): string[] {
  const open = findings.filter((finding) => !accepted.some((one) => covers(one, finding)));
  const unused = accepted.filter((one) => !findings.some((finding) => covers(one, finding)));
  return [
    ...open.map(
      ({ file, line, feature, lacking }) => `${file}:${line}: ${feature} is missing in ${lacking.join(', ')}`,
    ),
    ...unused.map(({ feature }) => `e2e/compat/accepted.ts: nothing uses ${feature} any more`),
  ];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..', '..');
  const lines = judge(checkSources(root, readOldestBrowsers(root)), acceptedInSources);
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
