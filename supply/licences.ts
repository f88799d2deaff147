import { type Locked, readLock } from './lock.ts';

const anyUse = 'any use, with its notice kept';

/**
 * The licences that a package may have, and what each asks of those who run or change the service.
 */
export const allowed: Record<string, string> = {
  MIT: anyUse,
  'Apache-2.0': anyUse,
  'MIT OR Apache-2.0': anyUse,
  'Apache-2.0 AND MIT': anyUse,
  'BSD-2-Clause': anyUse,
  'BSD-3-Clause': anyUse,
  '(AFL-2.1 OR BSD-3-Clause)': anyUse,
  ISC: anyUse,
  'Python-2.0': anyUse,
  '0BSD': 'any use',
  Unlicense: 'any use',
  'CC0-1.0': 'any use',
  '(MIT OR CC0-1.0)': 'any use',
  'CC-BY-4.0': 'data about browsers, used unchanged; its authors are named',
  'MPL-2.0': 'changes of its own files must be published; we change none',
  'LGPL-3.0-or-later': 'the image library that Next depends on; `supply/prune.mjs` removes it after the install',
  'Apache-2.0 AND LGPL-3.0-or-later': 'as LGPL-3.0-or-later; for other systems',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': 'as LGPL-3.0-or-later; for other systems',
};

// Builds for other systems. The lock file has neither checksum nor licence of these; they have the
// licence of their package.
const sameAs: [RegExp, string][] = [
  [/^@biomejs\/cli-/, 'MIT OR Apache-2.0'],
  [/^@next\/swc-/, 'MIT'],
  [/^@oxc-parser\/binding-/, 'MIT'],
  [/^@swc\/core-/, 'Apache-2.0 AND MIT'],
];

/** The licence of a package, or null when it is unknown. */
export function licenceOf({ name, license }: Locked): string | null {
  return license ?? sameAs.find(([names]) => names.test(name))?.[1] ?? null;
}

/** All packages grouped by licence, as Markdown. */
export function writeLicences(packages: Locked[]): string {
  const groups = new Map<string, Set<string>>();
  for (const one of packages) {
    const licence = licenceOf(one) ?? 'unknown';
    const names = groups.get(licence) ?? new Set();
    groups.set(licence, names.add(`${one.name} ${one.version}${one.dev ? '\u00a0*' : ''}`));
  }
  const sections = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(writeGroup);
  return `# Licences of the packages

Packages with * serve tests and development only. Builds for other systems are listed too.

${sections.join('\n')}`;
}

function writeGroup([licence, names]: [string, Set<string>]): string {
  return `## ${licence}\n\n${allowed[licence] ?? 'not allowed'}; ${names.size} packages\n\n${[...names].sort().join(', ')}\n`;
}

if (import.meta.main) process.stdout.write(writeLicences(readLock()));
