import { parseSync } from 'oxc-parser';
import {
  compatData,
  type Feature,
  type Finding,
  isCommon,
  isFeature,
  listLacking,
  type OldestBrowsers,
} from '#e2e/compat/features.ts';

type Node = { type: string; start: number; [name: string]: unknown };

const { api, javascript, html } = compatData;
const builtins = javascript.builtins ?? {};
const htmlElements = html.elements ?? {};
const htmlAttributes = html.global_attributes ?? {};

/** Objects that every page has, and the interfaces of which they are. */
const instances: Record<string, string[]> = {
  window: ['Window', 'EventTarget'],
  self: ['Window', 'WorkerGlobalScope', 'DedicatedWorkerGlobalScope', 'ServiceWorkerGlobalScope', 'EventTarget'],
  globalThis: ['Window', 'WorkerGlobalScope', 'EventTarget'],
  navigator: ['Navigator', 'WorkerNavigator'],
  document: ['Document', 'Node', 'EventTarget'],
  location: ['Location', 'WorkerLocation'],
  history: ['History'],
  screen: ['Screen'],
  performance: ['Performance', 'EventTarget'],
  crypto: ['Crypto'],
  localStorage: ['Storage'],
  sessionStorage: ['Storage'],
  caches: ['CacheStorage'],
  clients: ['Clients'],
};

/** What iterators can do since 2024. Arrays have methods of the same names for long. */
const iteratorHelpers = new Set(
  Object.keys(builtins.Iterator ?? {}).filter((name) => name !== '__compat' && name !== '@@iterator'),
);
const makesIterator = new Set(['values', 'keys', 'entries', 'matchAll']);

const own = (feature: Feature | undefined, name: string): Feature | undefined =>
  feature && Object.hasOwn(feature, name) ? feature[name] : undefined;

const globalScopes = ['Window', 'WorkerGlobalScope', 'DedicatedWorkerGlobalScope', 'ServiceWorkerGlobalScope'];

/** What a global name may be: a class, a function, an object of a window. */
const globalFeatures = (name: string): Feature[] =>
  [own(builtins, name), own(api, name), ...globalScopes.map((scope) => own(own(api, scope), name))].filter(isFeature);

/** What `object.name` may be where `object` is a global name. */
function staticFeatures(object: string, name: string): Feature[] {
  const interfaces = instances[object];
  if (interfaces)
    return [...interfaces.map((one) => own(own(api, one), name)), ...globalFeatures(name)].filter(isFeature);
  return [own(own(builtins, object), name), own(own(api, object), `${name}_static`)].filter(isFeature);
}

const membersOf = (types: Feature, isWanted: (feature: Feature) => boolean) =>
  Map.groupBy(
    Object.values(types).flatMap((type) =>
      Object.entries(type)
        .filter(([name, feature]) => isFeature(feature) && !/(?:_static|_event)$/.test(name) && isWanted(feature))
        .map(([name, feature]) => ({ name, feature })),
    ),
    ({ name }) => name,
  );

/** The properties of JavaScript's own objects, and of the objects of pages, by name. */
const builtinMembers = membersOf({ ...builtins, ...builtins.Intl } as Feature, () => true);
const pageMembers = membersOf(api, () => true);
// Without experiments, of which many have everyday names: `run`, `use`, `bytes`.
const commonPageMembers = new Set(membersOf(api, isCommon).keys());

/** What `.name` of an unknown object may be. Of a page's objects only what is called. */
function memberFeaturesOf(name: string, isCalled: boolean): Feature[] {
  const ofBuiltins = (builtinMembers.get(name) ?? []).map(({ feature }) => feature);
  const ofPages = (pageMembers.get(name) ?? []).map(({ feature }) => feature);
  const isReported = ofBuiltins.some(isCommon) || (isCalled && commonPageMembers.has(name));
  return isReported ? [...ofBuiltins, ...ofPages] : [];
}

const eventFeatures = Map.groupBy(
  Object.values(api).flatMap((type) =>
    Object.entries(type)
      .filter(([name, feature]) => name.endsWith('_event') && isFeature(feature))
      .map(([name, feature]) => ({ name: name.slice(0, -'_event'.length), feature })),
  ),
  ({ name }) => name,
);

/** The browsers that lack every feature of these; none if one of them is everywhere. */
function lackingAll(features: Feature[], oldest: OldestBrowsers): string[] {
  const lists = features.map((feature) => listLacking(feature, oldest));
  return lists.length > 0 && lists.every(({ length }) => length > 0) ? (lists[0] ?? []) : [];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function* childrenOf(node: Node): Generator<[string, Node]> {
  for (const [name, value] of Object.entries(node)) {
    if (Array.isArray(value)) for (const one of value) if (isNode(one)) yield [name, one];
    if (isNode(value)) yield [name, value];
  }
}

function walk(node: Node, visit: (node: Node, parent: Node | null, field: string) => void): void {
  // Without recursion, because a built file nests deeper than the stack.
  const open: [Node, Node | null, string][] = [[node, null, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, parent, field] = next;
    visit(one, parent, field);
    for (const [name, child] of childrenOf(one)) open.push([child, one, name]);
  }
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && (node.type === 'Identifier' || node.type === 'JSXIdentifier') ? String(node.name) : undefined;

const textOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** The name of the property of `a.b` or `a['b']`. */
const propertyOf = (node: Node): string | undefined => (node.computed ? textOf : nameOf)(node.property);

/** The name of the function that a call runs, with or without an object. */
const calleeOf = ({ callee }: Node): string | undefined =>
  nameOf(callee) ?? (isNode(callee) ? propertyOf(callee) : undefined);

const declaring = new Set([
  ...['VariableDeclarator', 'FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassDeclaration'],
  ...['ImportSpecifier', 'ImportDefaultSpecifier', 'ImportNamespaceSpecifier', 'CatchClause'],
]);
const pattern = /Pattern$|^(?:Property|AssignmentPattern|RestElement)$/;

/** The names that a file declares anywhere. A global of such a name is not looked at. */
function listDeclared(program: Node): Set<string> {
  const declared = new Set<string>();
  const add = (node: Node): void => {
    const name = nameOf(node);
    if (name) declared.add(name);
    if (pattern.test(node.type))
      for (const [field, child] of childrenOf(node)) if (field !== 'key' && field !== 'right') add(child);
  };
  walk(program, (node) => {
    if (!declaring.has(node.type)) return;
    for (const [field, child] of childrenOf(node)) if (/^(?:id|local|param|params)$/.test(field)) add(child);
  });
  return declared;
}

/** The names that a file asks for before it uses them: `typeof x`, `'x' in y`, `y.x?.z`, `if (y.x)`. */
function listAsked(program: Node): Set<string> {
  const asked = new Set<string>();
  const add = (node: unknown) => {
    if (!isNode(node)) return;
    const name = node.type === 'MemberExpression' ? propertyOf(node) : (nameOf(node) ?? textOf(node));
    if (name) asked.add(name);
  };
  const addCondition = (node: unknown): void => {
    if (!isNode(node)) return;
    if (node.type === 'UnaryExpression') addCondition(node.argument);
    else if (node.type === 'ChainExpression') addCondition(node.expression);
    else if (node.type === 'LogicalExpression' || node.type === 'BinaryExpression') {
      addCondition(node.left);
      addCondition(node.right);
    } else add(node);
  };
  walk(program, (node) => {
    if (node.type === 'UnaryExpression' && node.operator === 'typeof') add(node.argument);
    if (node.type === 'BinaryExpression' && node.operator === 'in') add(node.left);
    if (node.type === 'CallExpression' && node.optional) add(node.callee);
    if (node.type === 'MemberExpression' && node.optional) add(node.object);
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') addCondition(node.test);
    if (node.type === 'LogicalExpression') addCondition(node.left);
  });
  return asked;
}

const regexFlags = javascript.builtins?.RegExp ?? {};
const regexSyntax = javascript.regular_expressions ?? {};

/** The features that a regular expression needs, by name. */
function* listRegexFeatures({ pattern, flags }: { pattern: string; flags: string }): Generator<[string, Feature]> {
  const found: [boolean, string, Feature | undefined][] = [
    [flags.includes('v'), 'regular expression, flag v', own(regexFlags, 'unicodeSets')],
    [/\(\?[ims-]+:/.test(pattern), 'regular expression, (?i:)', own(regexSyntax, 'modifier')],
    [/\(\?<[=!]/.test(pattern), 'regular expression, (?<=)', own(regexSyntax, 'lookbehind_assertion')],
  ];
  for (const [used, name, feature] of found) if (used && feature) yield [name, feature];
}

/** The features that a JSX element needs, by name: its tag and its attributes. */
function* listMarkupFeatures(node: Node): Generator<[string, Feature[]]> {
  const tag = nameOf(node.name) ?? '';
  if (!/^[a-z]/.test(tag)) return;
  yield [`<${tag}>`, [own(htmlElements, tag)].filter(isFeature)];
  for (const attribute of node.attributes as Node[]) {
    const name = (nameOf(attribute.name) ?? '').toLowerCase();
    const features = [own(own(htmlElements, tag), name), own(htmlAttributes, name)].filter(isFeature);
    yield [`${name}=`, features];
  }
}

function* listUses(
  node: Node,
  parent: Node | null,
  field: string,
  declared: Set<string>,
): Generator<readonly [string, Feature[]]> {
  const isKey = field === 'property' || field === 'key' || field === 'label';
  const global = node.type === 'Identifier' && !(isKey && !parent?.computed) ? String(node.name) : undefined;
  if (global && !declared.has(global)) yield [global, globalFeatures(global)] as const;
  if (node.type === 'MemberExpression') {
    const name = propertyOf(node);
    const object = nameOf(node.object);
    if (name && object && !declared.has(object) && (globalFeatures(object).length > 0 || instances[object]))
      yield [`${object}.${name}`, staticFeatures(object, name)] as const;
    else if (name) {
      const isCalled = parent?.type === 'CallExpression' && field === 'callee';
      yield [`.${name}`, memberFeaturesOf(name, isCalled)] as const;
      const made = isNode(node.object) && node.object.type === 'CallExpression' && isNode(node.object.callee);
      const maker = made ? propertyOf((node.object as { callee: Node }).callee) : undefined;
      const builtin = made ? nameOf((node.object as { callee: { object?: unknown } }).callee.object) : undefined;
      if (maker && builtin !== 'Object' && makesIterator.has(maker) && iteratorHelpers.has(name))
        yield [`Iterator.${name}`, [own(builtins.Iterator, name)].filter(isFeature)] as const;
    }
  }
  if (node.type === 'CallExpression' && calleeOf(node) === 'addEventListener') {
    const event = textOf((node.arguments as Node[])[0]);
    if (event) yield [`event ${event}`, (eventFeatures.get(event) ?? []).map(({ feature }) => feature)] as const;
  }
  if (node.type === 'JSXOpeningElement') yield* listMarkupFeatures(node);
  if (isNode(node) && node.regex)
    for (const [name, feature] of listRegexFeatures(node.regex as { pattern: string; flags: string }))
      yield [name, [feature]] as const;
}

/**
 * Finds what a script uses and one of the oldest browsers lacks: globals, static and other methods,
 * events, flags of regular expressions, elements and attributes of JSX. `markup` limits it to the
 * last two, for code that runs on the server. A name that the file asks for (`typeof`, `in`, `?.()`,
 * a condition) counts as covered. Types are not known: a method counts by its name, if no object of
 * all oldest browsers has one of that name.
 */
export function checkScript(file: string, text: string, oldest: OldestBrowsers, only?: 'markup'): Finding[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const tree = program as unknown as Node;
  const declared = listDeclared(tree);
  const asked = listAsked(tree);
  const found = new Map<string, Finding>();
  walk(tree, (node, parent, field) => {
    if (node.type.startsWith('TS')) return;
    for (const [feature, features] of listUses(node, parent, field, declared)) {
      if (only === 'markup' && !/^<|=$/.test(feature)) continue;
      if (asked.has(feature.slice(feature.lastIndexOf('.') + 1)) || found.has(feature)) continue;
      const lacking = lackingAll(features, oldest);
      const line = text.slice(0, node.start).split('\n').length;
      if (lacking.length > 0) found.set(feature, { feature, line, lacking });
    }
  });
  return [...found.values()];
}
