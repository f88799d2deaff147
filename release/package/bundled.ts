import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLock } from '../lock.ts';
import type { Native } from './platforms.ts';

/** A package in the archive, with npm's checksum and the texts of its licence. */
export type Bundled = { name: string; version: string; licence: string; integrity?: string; notices: string[] };

const root = join(import.meta.dirname, '..', '..');
const isNotice = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/** Describes the packages in these folders (`node_modules/name`), by the lock file. */
export function describePackages(folders: string[]): Bundled[] {
  const lock = new Map(readLock().map((locked) => [locked.place, locked]));
  return folders.flatMap((place) => {
    const locked = lock.get(place);
    if (!locked) return [];
    const { name, version, license = 'unknown', integrity } = locked;
    return [{ name, version, licence: license, integrity, notices: readNotices(join(root, place)) }];
  });
}

/** Describes a package that contains programs of a platform. */
export function describeNative({ name, version, licence, files }: Native): Bundled {
  const notices = [...files].flatMap(([path, entry]) => {
    if (!isNotice.test(path)) return [];
    if ('from' in entry) return [readFileSync(entry.from, 'utf8')];
    return 'content' in entry ? [String(entry.content)] : [];
  });
  return { name, version, licence, notices };
}

/** What the embedded PostgreSQL consists of, for which its package names no versions but by file names. */
export function describePostgres(native: Native): Bundled[] {
  const version = native.version.split('-')[0] ?? '';
  const libraries: [name: string, file: RegExp, licence: string][] = [
    ['openssl', /^native\/lib\/libcrypto\.so\.([\d.]+)$/, 'OpenSSL'],
    ['icu', /^native\/lib\/libicudata\.so\.(\d+\.\d+)$/, 'ICU'],
    ['libxml2', /^native\/lib\/libxml2\.so\.([\d.]+)$/, 'MIT'],
    ['zlib', /^native\/lib\/libz\.so\.([\d.]+)$/, 'Zlib'],
    ['xz', /^native\/lib\/liblzma\.so\.([\d.]+)$/, '0BSD'],
  ];
  const found = libraries.flatMap(([name, file, licence]) => {
    const at = [...native.files.keys()].map((path) => file.exec(path)?.[1]).find((one) => one !== undefined);
    return at === undefined ? [] : [{ name, version: at, licence, notices: [] }];
  });
  return [{ name: 'postgresql', version, licence: 'PostgreSQL', notices: [] }, ...found];
}

function readNotices(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.filter((name) => isNotice.test(name)).map((name) => readFileSync(join(folder, name), 'utf8'));
}

const sortKey = ({ name, version }: Bundled) => `${name} ${version}`;

/** Leaves each package once, sorted by name. */
export function withoutRepeats(bundled: Bundled[]): Bundled[] {
  const byName = new Map(bundled.map((one) => [sortKey(one), one]));
  return [...byName.values()].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** All packages with their licences and notices, as Markdown. */
export function writeNotices(bundled: Bundled[]): string {
  const sections = bundled.map(({ name, version, licence, notices }) => {
    const texts = [...new Set(notices.map((text) => text.trim()))].map((text) => `\n\`\`\`\`text\n${text}\n\`\`\`\`\n`);
    return `## ${name} ${version}\n\nLicence: ${licence}\n${texts.join('')}`;
  });
  return `# Licences

This archive contains the code of these packages.

${sections.join('\n')}`;
}

/** The bill of materials in CycloneDX 1.6; the same for the same archive. */
export function writeBill(version: string, bundled: Bundled[]): string {
  const components = bundled.map(({ name, version, licence, integrity }) => {
    const isFromNpm = integrity !== undefined || /^node-linux-/.test(name);
    const purl = `pkg:${isFromNpm ? 'npm' : 'generic'}/${name.replace('@', '%40')}@${version}`;
    const isExpression = / (?:OR|AND) /.test(licence);
    return {
      type: 'library',
      'bom-ref': purl,
      ...(name.startsWith('@') ? { group: name.split('/')[0], name: name.split('/')[1] } : { name }),
      version,
      purl,
      licenses: [isExpression ? { expression: licence } : { license: asLicence(licence) }],
      ...(integrity ? { hashes: [{ alg: 'SHA-512', content: asHex(integrity) }] } : {}),
    };
  });
  const service = { type: 'application', 'bom-ref': 'service', name: 'staff-notification-api', version };
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: service }, components };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const asLicence = (licence: string) => (licence === 'unknown' ? { name: licence } : { id: licence });

const asHex = (integrity: string) => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
