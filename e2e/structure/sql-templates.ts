import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A tagged template of the service: where it is (`file#function`) and its constant parts. */
export type SqlTemplate = { where: string; parts: string[] };

const folders = ['db', 'server'];

/** Reads all tagged templates of server/ and db/ from their syntax trees, without tests. */
export function listSqlTemplates(root: string): SqlTemplate[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .flatMap((file) => listTemplatesIn(file, readFileSync(join(root, file), 'utf8')));
}

/** The tagged templates of one file. */
export function listTemplatesIn(file: string, text: string): SqlTemplate[] {
  const { body } = parseSync(file, text).program;
  return body.flatMap((statement) => {
    const where = `${file}#${declaredName(statement) ?? ''}`;
    return findTemplates(statement).map((parts) => ({ where, parts }));
  });
}

type Tree = { [name: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

// The name of a function, class or variable at the top of a file, exported or not.
function declaredName(statement: unknown): string | undefined {
  if (!isTree(statement)) return undefined;
  if (isTree(statement.declaration)) return declaredName(statement.declaration);
  if (Array.isArray(statement.declarations)) return declaredName(statement.declarations[0]);
  return isTree(statement.id) ? String(statement.id.name) : undefined;
}

function findTemplates(node: unknown): string[][] {
  if (Array.isArray(node)) return node.flatMap(findTemplates);
  if (!isTree(node)) return [];
  const inner = Object.values(node).flatMap(findTemplates);
  if (node.type !== 'TaggedTemplateExpression' || !isTree(node.quasi)) return inner;
  const quasis = node.quasi.quasis as { value: { cooked: string } }[];
  return [quasis.map(({ value }) => value.cooked), ...inner];
}

/** Whether a text begins and ends as a template does and has all its constant parts in order. */
export function isMadeFrom(text: string, { parts }: SqlTemplate): boolean {
  const [first = '', ...rest] = parts;
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text === first;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

const isTooShort = ({ parts }: SqlTemplate) => parts.join('').trim().length < 12;

/** The template of a statement's text: of those that match, the one with the most constant text. */
export function findTemplate(text: string, templates: SqlTemplate[]): SqlTemplate | undefined {
  const size = ({ parts }: SqlTemplate) => parts.join('').trim().length;
  return templates
    .filter((one) => !isTooShort(one) && isMadeFrom(text, one))
    .toSorted((one, other) => size(other) - size(one))[0];
}

/** Whether a template begins as a statement on tables does, and not as a part of one. */
export const beginsStatement = ({ parts }: SqlTemplate): boolean =>
  /^\s*(with|select|insert|update|delete)\b/i.test(parts[0] ?? '');

/** A template's text with a parameter for each value that it takes. */
export const withParameters = ({ parts }: SqlTemplate): string =>
  parts.map((part, at) => (at === 0 ? part : `$${at}${part}`)).join('');
