import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

type Node = { [name: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const levelOf = (callee: unknown) => (isNode(callee) && isNode(callee.property) ? callee.property.name : undefined);

const isLogCall = (node: unknown) => isNode(node) && isNode(node.callee) && node.callee.name === 'log';

/** Adds all texts of a file to `texts`; to `logged` those of `….warn(…, 'text')`, `….error(…, 'text')` and `logRepeats('warn', …, 'text')`. */
function collect(node: unknown, texts: Set<string>, logged: Set<string>): void {
  if (!isNode(node)) return;
  for (const inner of Object.values(node)) collect(inner, texts, logged);
  if (typeof node.value === 'string') texts.add(node.value);
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return;
  const given = (node.arguments as Node[]).map(({ value }) => value);
  const isLog = ['warn', 'error'].includes(String(levelOf(node.callee))) && isLogCall(node.callee.object);
  const isRepeated = node.callee.name === 'logRepeats' && ['warn', 'error'].includes(String(given[0]));
  const text = given.filter((value) => typeof value === 'string').at(-1);
  if ((isLog || isRepeated) && text) logged.add(text);
}

test('the operations page has every warning and error of the log, and no other', () => {
  const files = ['app', 'db', 'platform', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = [...files, 'instrumentation.ts', 'proxy.ts'].filter((name) => /(?<!\.(?:test|d))\.tsx?$/.test(name));
  const [texts, logged] = [new Set<string>(), new Set<string>()];
  for (const name of sources) collect(parseSync(name, readFileSync(join(root, name), 'utf8')).program, texts, logged);
  const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const [, table = ''] = /^### Every warning and error\n([\s\S]*?)^`requests get 503/m.exec(page) ?? [];
  const cells = table.split('\n').map((line) => /^\| (`.*?`) \| /.exec(line)?.[1] ?? '');
  const listed = cells
    .flatMap((cell) => cell.match(/(?<=`)[^`,]{2}[^`]*(?=`)/g) ?? [])
    .filter((text) => text !== 'msg');
  const isSame = (text: string, entry: string) =>
    entry.endsWith('…') ? text.startsWith(entry.slice(0, -1)) : text === entry;
  expect([...logged].filter((text) => !listed.some((entry) => isSame(text, entry)))).toEqual([]);
  expect(listed.filter((entry) => ![...texts].some((text) => isSame(text, entry)))).toEqual([]);
});
