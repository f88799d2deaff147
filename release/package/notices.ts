import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLock } from '../lock.ts';
import type { Native } from './platforms.ts';

type Licensed = { name: string; version: string; licence: string; notices: string[] };

const root = join(import.meta.dirname, '..', '..');
const isNotice = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/**
 * The licences and notices of the packages of an archive, as Markdown: of all that are installed and
 * not only for development, and of those with programs of its platform.
 */
export function writeNotices(natives: Native[]): string {
  const installed = readLock().filter(({ dev, place }) => !dev && existsSync(join(root, place)));
  const packages: Licensed[] = installed.map(({ place, name, version, license: licence = 'unknown' }) => {
    const folder = join(root, place);
    const files = readdirSync(folder).filter((file) => isNotice.test(file));
    return { name, version, licence, notices: files.map((file) => readFileSync(join(folder, file), 'utf8')) };
  });
  const all = new Map([...packages, ...natives.map(describeNative)].map((one) => [`${one.name} ${one.version}`, one]));
  const sections = [...all]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, { licence, notices }]) => {
      const texts = [...new Set(notices.map((text) => text.trim()))].map(
        (text) => `\n\`\`\`\`text\n${text}\n\`\`\`\`\n`,
      );
      return `## ${title}\n\nLicence: ${licence}\n${texts.join('')}`;
    });
  return `# Licences

This archive contains code of these packages.

${sections.join('\n')}`;
}

function describeNative({ name, version, licence, files }: Native): Licensed {
  const notices = [...files].flatMap(([path, entry]) => {
    if (!isNotice.test(path)) return [];
    if ('from' in entry) return [readFileSync(entry.from, 'utf8')];
    return 'content' in entry ? [String(entry.content)] : [];
  });
  return { name, version, licence, notices };
}
