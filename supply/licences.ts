import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locked, readLock } from './lock.ts';

/** The list that stands in the documentation. */
export const licencesFile = join(import.meta.dirname, '..', 'docs', 'licences.md');

const anyUse = 'any use, with its notice kept';

/** The licences a package may have, and what they ask of whoever runs or changes the service. */
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
  '(MIT OR CC0-1.0)': 'any use',
  'CC-BY-4.0': 'data about browsers, used as it is; its makers are named',
  'MPL-2.0': 'changes of its own files must be published; we change none',
  'LGPL-3.0-or-later': 'a library of pictures that Next brings along, unchanged and replaceable; we switch its use off',
  'Apache-2.0 AND LGPL-3.0-or-later': 'as LGPL-3.0-or-later; for other systems',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': 'as LGPL-3.0-or-later; for other systems',
};

// Builds for other systems of packages listed beside them; the lock file names neither checksum nor licence of these.
const sameAs: [RegExp, string][] = [
  [/^@biomejs\/cli-/, 'MIT OR Apache-2.0'],
  [/^@next\/swc-/, 'MIT'],
  [/^@swc\/core-/, 'Apache-2.0 AND MIT'],
];

/** The licence of a package, or null when nobody knows it. */
export function licenceOf({ name, license }: Locked): string | null {
  return license ?? sameAs.find(([names]) => names.test(name))?.[1] ?? null;
}

/** The list of all packages by licence, as Markdown; the same for the same lock file. */
export function writeLicences(packages: Locked[]): string {
  const groups = new Map<string, Set<string>>();
  for (const one of packages) {
    const licence = licenceOf(one) ?? 'unknown';
    const names = groups.get(licence) ?? new Set();
    groups.set(licence, names.add(`${one.name} ${one.version}${one.dev ? '\u00a0*' : ''}`));
  }
  const sections = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(writeGroup);
  return `# Licences of the packages

Made from \`package-lock.json\` by \`npm run licences\`. Packages with * serve the tests and the development only. Builds for other systems
are listed too, though one machine installs only its own.

${sections.join('\n')}`;
}

function writeGroup([licence, names]: [string, Set<string>]): string {
  return `## ${licence}\n\n${allowed[licence] ?? 'not allowed'}; ${names.size} packages\n\n${[...names].sort().join(', ')}\n`;
}

if (import.meta.main) {
  const text = writeLicences(readLock());
  if (readFileSync(licencesFile, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(licencesFile, text);
}
