import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, test } from 'vitest';
import english from '#messages/en.json' with { type: 'json' };
import indonesian from '#messages/id.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules/'));
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');

// The list of kinds is a vocabulary: it imports nothing and holds nothing that a browser may not know.
const vocabulary = /from '#server\/notification-kind\.ts';/g;

test('client files import server/ only as types, but for the vocabulary', () => {
  const wrong = listFiles('app')
    .filter((file) => /^'use client'/m.test(read(file)))
    .filter((file) =>
      /^import (?!type\b)(?!\{ type [^,}]* \})[^;]*from '#server\//m.test(read(file).replace(vocabulary, ';')),
    );
  expect(wrong).toEqual([]);
});

test('the Indonesian words of the wire stay at the border', () => {
  const wire = /\b(judul|isi|terkirim|peran|karyawan|perusahaan)\b/;
  const border = /^server\/api\/|\.test\.ts$/;
  const wrong = listFiles('server').filter(
    (file) => !border.test(file) && wire.test(read(file).replace(/'\{.*?\}'|`\{.*?\}`|karyawan1/g, '')),
  );
  expect(wrong).toEqual([]);
});

test('there are no drawers', () => {
  const drawer = /(^|\/)(utils?|lib|helpers?|common|misc|types|shared)(\/|\.tsx?$)/;
  expect(
    [...listFiles('app'), ...listFiles('server'), ...listFiles('db'), ...listFiles('e2e')].filter((file) =>
      drawer.test(file),
    ),
  ).toEqual([]);
});

test('every exported function of server/ and db/ says what it promises', () => {
  const wrong = [...listFiles('server'), ...listFiles('db')]
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('db/migrations'))
    .flatMap((file) => {
      const lines = read(file).split('\n');
      return lines.flatMap((line, at) =>
        /^export (async )?(function|const|class|type) /.test(line) && !/\*\/\s*$/.test(lines[at - 1] ?? '')
          ? [`${file}:${at + 1} ${line}`]
          : [],
      );
    });
  expect(wrong).toEqual([]);
});

type Messages = { [name: string]: string | Messages };

function listTexts(messages: Messages, prefix = ''): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'string' ? [[prefix + name, value]] : listTexts(value, `${prefix + name}.`),
  );
}

function listArguments(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return [element.value, ...listArguments(element.children)];
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => listArguments(value))];
    return element.type === TYPE.argument ? [element.value] : [];
  });
}

test('both languages have the same texts, and each text the same values in both', () => {
  const shape = (messages: Messages) =>
    Object.fromEntries(
      listTexts(messages).map(([key, text]) => [key, [...new Set(listArguments(parse(text)))].sort()]),
    );
  expect(shape(english)).toEqual(shape(indonesian));
});

test('the file that every page’s request passes sets headers and nothing else: nothing is allowed or refused there', () => {
  const source = read('proxy.ts');
  const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from);
  expect(imported).toEqual(['node:crypto', 'next/server', '#server/http-headers.ts']);
  expect([...source.matchAll(/NextResponse\.(\w+)\(/g)].map(([, called]) => called)).toEqual(['next']);
  expect(source).not.toMatch(/cookie|status|\bif\b/i);
});

test('whatever a browser may call asks first whether a page of ours called it', () => {
  const guarded = /^export const \w+ = (?:owner|provedOwner|employee|employeeSession|session)Action\(/;
  const wrong = listFiles('app')
    .filter((file) => read(file).startsWith("'use server'"))
    .flatMap((file) =>
      read(file)
        .split(/^(?=export )/m)
        .slice(1)
        .filter(
          (one) => !/^export (?:type|\{)/.test(one) && !guarded.test(one) && !/\(await isOwnRequest\(\)\)/.test(one),
        )
        .map((one) => `${file}: ${one.split('\n', 1)[0]}`),
    );
  expect(wrong).toEqual([]);
});
