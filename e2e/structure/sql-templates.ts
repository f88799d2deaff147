import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A tagged template of the service: where it is (`file#function`) and its constant parts. */
export type SqlTemplate = { where: string; parts: string[] };

const folders = ['db', 'server'];

/** The files of server/ and db/, without tests. */
export const listFiles = (root: string) =>
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** Reads all tagged templates of server/ and db/ from their syntax trees, without tests. */
export const listSqlTemplates = (root: string): SqlTemplate[] =>
  listFiles(root).flatMap((file) => listTemplatesIn(file, readFileSync(join(root, file), 'utf8')));

/** A declaration that runs statements of drizzle's builder, with the tables that it names without their company. */
export type Builder = { where: string; tables: string[] };

/** Reads the declarations of server/ and db/ that call `db()`. `tables` are the names of drizzle's tables. */
export const listBuilders = (root: string, tables: string[]): Builder[] =>
  listFiles(root).flatMap((file) => {
    const { body } = parseSync(file, readFileSync(join(root, file), 'utf8')).program;
    return body.flatMap((statement) => {
      const names = { calls: new Set<string>(), used: new Set<string>(), bound: new Set<string>() };
      readBuilder(statement, names);
      if (!names.calls.has('db')) return [];
      const open = tables.filter((table) => names.used.has(table) && !names.bound.has(table));
      return [{ where: `${file}#${declaredName(statement) ?? ''}`, tables: open }];
    });
  });

const takesTable = ['from', 'innerJoin', 'leftJoin', 'insert', 'update', 'delete', '$count'];

// A table is bound where its company's column is named, also by `matches` or `byId`, or where inserted values name a company.
function readBuilder(node: unknown, names: { calls: Set<string>; used: Set<string>; bound: Set<string> }): void {
  if (Array.isArray(node)) for (const one of node) readBuilder(one, names);
  if (!isTree(node) || Array.isArray(node)) return;
  for (const child of Object.values(node)) readBuilder(child, names);
  const nameOf = (part: unknown) => (isTree(part) && typeof part.name === 'string' ? part.name : '');
  const bind = (table: string, column: unknown) => {
    if (nameOf(column) === (table === 'companies' ? 'id' : 'companyId')) names.bound.add(table);
  };
  if (node.type === 'MemberExpression') bind(nameOf(node.object), node.property);
  if (node.type === 'VariableDeclarator' && isTree(node.id) && Array.isArray(node.id.properties))
    for (const property of node.id.properties) bind(nameOf(node.init), isTree(property) ? property.key : null);
  if (node.type !== 'CallExpression' || !isTree(node.callee)) return;
  const method = nameOf(node.callee) || nameOf(node.callee.property);
  const [table, values] = node.arguments as unknown[];
  const first = nameOf(table);
  names.calls.add(method);
  if (method === 'byId') names.bound.add(first);
  if (method === 'matches' && isTree(values) && Array.isArray(values.properties))
    for (const property of values.properties) bind(first, isTree(property) ? property.key : null);
  if (takesTable.includes(method)) names.used.add(first);
  if (method === 'insert') names.bound.add(first);
}

export function listTemplatesIn(file: string, text: string): SqlTemplate[] {
  const { body } = parseSync(file, text).program;
  return body.flatMap((statement) => {
    const where = `${file}#${declaredName(statement) ?? ''}`;
    return findTemplates(statement).map((parts) => ({ where, parts }));
  });
}

/** The function, class or variable (`file#function`) at the top of a file that has a line, counted from 1. */
export function findDeclaration(root: string, file: string, line: number): string {
  const text = readFileSync(join(root, file), 'utf8');
  const at = text.split('\n', line - 1).join('\n').length + 1;
  const statement = parseSync(file, text).program.body.find(({ start, end }) => start <= at && at < end);
  return `${file}#${declaredName(statement) ?? ''}`;
}

export type Tree = { [name: string]: unknown };
export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

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

/** The template of a statement's text: of those that match, the one with the most constant text. */
export function findTemplate(text: string, templates: SqlTemplate[]): SqlTemplate | undefined {
  const size = ({ parts }: SqlTemplate) => parts.join('').trim().length;
  return templates
    .filter((one) => beginsStatement(one) && isMadeFrom(text, one))
    .toSorted((one, other) => size(other) - size(one))[0];
}

/** Whether a template begins as a statement on tables does, and not as a part of one. */
export const beginsStatement = ({ parts }: SqlTemplate): boolean =>
  /^\s*(with|select|insert|update|delete)\b/i.test(parts[0] ?? '');

/** A template's text with a parameter for each value that it takes. */
export const withParameters = ({ parts }: SqlTemplate): string =>
  parts.map((part, at) => (at === 0 ? part : `$${at}${part}`)).join('');
