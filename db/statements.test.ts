import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { AnswerTimeout, createDeadline } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { isTree, listFiles, type Tree } from '#e2e/structure/sql-templates.ts';
import { root } from '#e2e/support/service/service.ts';
import { databaseUrl } from '#platform/config/database.ts';

const treesOf = (value: unknown): Tree[] =>
  Array.isArray(value) ? value.filter(isTree) : isTree(value) ? [value] : [];
const textOf = (node: unknown): string => (isTree(node) ? String(node.name ?? node.value ?? '') : '');

/** A whole statement that is a text: the text with parameters, and the columns that its row type names. */
type TypedStatement = { file: string; text: string; columns: string[] | null };

const modules = new Map<string, Tree[]>();

function readModule(root: string, file: string): Tree[] {
  const read = modules.get(file) ?? treesOf(parseSync(file, readFileSync(join(root, file), 'utf8')).program.body);
  modules.set(file, read);
  return read;
}

/** The whole statements of `execute<Row>` in a file. `columns` is null where a type is beyond these rules. */
function listTypedStatements(root: string, file: string): TypedStatement[] {
  const found: TypedStatement[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const child of Object.values(node)) visit(child);
    if (!isTree(node) || node.type !== 'CallExpression') return;
    const [statement] = treesOf(node.arguments);
    const isRun = textOf((node.callee as Tree).property) === 'execute';
    if (!isRun || statement?.type !== 'TaggedTemplateExpression' || !isTree(statement.quasi)) return;
    const parts = treesOf(statement.quasi.quasis).map(({ value }) => String((value as { cooked: string }).cooked));
    const text = parts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join('');
    const [type] = treesOf((node.typeArguments as Tree | undefined)?.params);
    const columns = type && listProperties(root, file, type);
    if (/^\s*(with|select|insert|update|delete)\b/i.test(text)) found.push({ file, text, columns: columns ?? null });
  };
  visit(readModule(root, file));
  return found;
}

/** The names of an object type's properties: literals, `Pick`, intersections, and types that modules export. */
function listProperties(root: string, file: string, type: Tree): string[] | null {
  const listAll = (types: Tree[]) => {
    const lists = types.map((one) => listProperties(root, file, one));
    return lists.includes(null) ? null : lists.flatMap((names) => names ?? []);
  };
  if (type.type === 'TSArrayType') return listAll(treesOf(type.elementType));
  if (type.type === 'TSParenthesizedType') return listAll(treesOf(type.typeAnnotation));
  if (type.type === 'TSIntersectionType') return listAll(treesOf(type.types));
  if (type.type === 'TSTypeLiteral') return treesOf(type.members).map(({ key }) => textOf(key));
  if (type.type !== 'TSTypeReference') return null;
  const args = treesOf((type.typeArguments as Tree | undefined)?.params);
  const name = textOf(type.typeName);
  if (name === 'Pick' && args[1]) return listLiterals(args[1]);
  if (name === 'Omit' && args[0] && args[1]) {
    const [all, without] = [listProperties(root, file, args[0]), listLiterals(args[1])];
    return all && without ? all.filter((one) => !without.includes(one)) : null;
  }
  return args.length > 0 ? null : findNamed(root, file, name);
}

function listLiterals(type: Tree): string[] | null {
  const literals = type.type === 'TSUnionType' ? treesOf(type.types) : [type];
  const isLiteral = literals.every((one) => one.type === 'TSLiteralType');
  return isLiteral ? literals.map(({ literal }) => textOf(literal)) : null;
}

function findNamed(root: string, file: string, name: string): string[] | null {
  for (const statement of readModule(root, file)) {
    const declared = treesOf(statement.declaration)[0] ?? statement;
    if (declared.type === 'TSTypeAliasDeclaration' && textOf(declared.id) === name)
      return listProperties(root, file, treesOf(declared.typeAnnotation)[0] ?? {});
    const imported = treesOf(statement.specifiers).find(({ local }) => textOf(local) === name)?.imported;
    const source = textOf(statement.source);
    if (imported && source.startsWith('#')) return findNamed(root, source.slice(1), textOf(imported));
  }
  return null;
}

// A connection of its own: the statements of the service's pools are judged when the test ends.
const database = connect(databaseUrl(), 1);
afterAll(() => database.end());

const files = listFiles(root);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const statements = files.flatMap((file) => listTypedStatements(root, file));
const sources = files.map(read).join('\n');

// The SQLSTATE codes of a text with a parameter in place of a fragment: syntax and types.
const causedByFragments = ['42601', '42804', '42883', '42P18'];

// A part of a statement may read from another part: `with recipient as (…)`, or an alias.
function namesOtherPart(message: string): boolean {
  const [, name] = /^relation "(\w+)" does not exist/.exec(message) ?? [];
  return name === undefined || new RegExp(` ${name} as (not materialized |materialized )?\\(`).test(sources);
}

/** The columns of a statement, or why PostgreSQL refuses it; null for a part of a statement. */
async function describe({ text }: Pick<TypedStatement, 'text'>): Promise<string[] | string | null> {
  try {
    const columns = (await database.unsafe(text).describe()).columns.map(({ name }) => name);
    // A column without a name comes from a fragment.
    return columns.includes('?column?') ? null : columns;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    return causedByFragments.includes(code) || (code === '42P01' && namesOtherPart(message)) ? null : message;
  }
}

const nameOf = ({ file, text }: TypedStatement) => `${file}: ${text.trim().slice(0, 60)}`;

test('PostgreSQL knows the columns of each statement, and returns those that its row type names', async () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const statement of statements) {
    const described = await describe(statement);
    if (typeof described === 'string') wrong.push(`${nameOf(statement)} → ${described}`);
    if (!Array.isArray(described) || statement.columns === null) continue;
    compared++;
    const missing = statement.columns.filter((name) => !described.includes(name));
    if (missing.length > 0) wrong.push(`${nameOf(statement)} → does not return ${missing.join(', ')}`);
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(15);
});

afterEach(() => vi.useRealTimers());

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('statements share a budget of 5.5 s, and then fail without an answer (X3)', async () => {
  vi.useFakeTimers();
  const withDeadline = createDeadline();
  const first = withDeadline(() => wait(3000).then(() => 'answered'));
  await vi.advanceTimersByTimeAsync(3000);
  expect(await first).toBe('answered');
  const second = withDeadline(() => new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2499);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await second).toBeInstanceOf(AnswerTimeout);
});
