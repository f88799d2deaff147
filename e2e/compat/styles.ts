import { type Atrule, type CssNode, type Declaration, keyword, parse, property, walk } from 'css-tree';
import {
  compatData,
  type Feature,
  type Finding,
  isFeature,
  listLacking,
  type OldestBrowsers,
} from '#e2e/compat/features.ts';

const { css } = compatData;
const area = (name: 'at-rules' | 'properties' | 'selectors' | 'types'): Feature => css[name] ?? ({} as Feature);

const own = (feature: Feature | undefined, name: string): Feature | undefined =>
  feature && Object.hasOwn(feature, name) ? feature[name] : undefined;

/** The functions of all types of values, by name: `color-mix` lies below `color`. */
const functions = new Map<string, Feature[]>();
for (const [name, type] of Object.entries(area('types')))
  for (const [key, feature] of [[name, type] as const, ...Object.entries(type)])
    if (isFeature(feature)) functions.set(key, [...(functions.get(key) ?? []), feature]);

const lengths = own(area('types'), 'length');
const viewportUnit = /^([dsl])v(?:w|h|i|b|min|max)$/;
const viewportSizes: Record<string, string> = { d: 'dynamic', s: 'small', l: 'large' };

/** The feature that a unit of length needs. */
function unitFeature(unit: string): Feature | undefined {
  const [, size] = viewportUnit.exec(unit) ?? [];
  if (size) return own(lengths, `viewport_percentage_units_${viewportSizes[size]}`);
  if (/^cq(?:w|h|i|b|min|max)$/.test(unit)) return own(lengths, 'container_query_length_units');
  return own(lengths, unit);
}

type Use = { name: string; feature: Feature | undefined };

function* listValueUses(node: CssNode, ofProperty: string): Generator<Use> {
  if (node.type === 'Function')
    for (const feature of functions.get(node.name) ?? []) yield { name: `${node.name}()`, feature };
  if (node.type === 'Dimension') yield { name: `unit ${node.unit}`, feature: unitFeature(node.unit.toLowerCase()) };
  if (node.type === 'Identifier')
    yield { name: `${ofProperty}: ${node.name}`, feature: own(own(area('properties'), ofProperty), node.name) };
}

function* listUses(node: CssNode, declaration: Declaration | null, isNested: boolean): Generator<Use> {
  if (node.type === 'Declaration' && !node.property.startsWith('--'))
    yield { name: node.property, feature: own(area('properties'), node.property) };
  if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
    yield { name: `:${node.name}`, feature: own(area('selectors'), keyword(node.name).name) };
  if (node.type === 'Rule' && isNested) yield { name: 'nested rule', feature: own(area('selectors'), 'nesting') };
  if (node.type === 'Atrule') yield { name: `@${node.name}`, feature: own(area('at-rules'), node.name) };
  if (node.type === 'Feature')
    yield { name: `@media (${node.name})`, feature: own(own(area('at-rules'), 'media'), node.name) };
  if (node.type === 'FeatureRange')
    yield { name: '@media (range)', feature: own(own(area('at-rules'), 'media'), 'range_syntax') };
  if (declaration) yield* listValueUses(node, property(declaration.property).name);
}

const isPrefixed = (name: string) => /^:{0,2}-(?:webkit|moz|ms|o)-/.test(name);

/** What an `@supports` asks for, as the words of its condition. */
const wordsOf = (rule: Atrule, text: string): string =>
  rule.prelude?.loc ? text.slice(rule.prelude.loc.start.offset, rule.prelude.loc.end.offset) : '';

/** Whether an earlier declaration of the same property in the same block is there for old browsers. */
function hasFallback(declaration: Declaration, siblings: readonly CssNode[]): boolean {
  const place = siblings.indexOf(declaration);
  return siblings.some(
    (one, index) => index < place && one.type === 'Declaration' && one.property === declaration.property,
  );
}

/**
 * Finds what a style sheet uses and one of the oldest browsers lacks: properties and their keywords,
 * functions, units, selectors, at-rules, nested rules. A feature counts as covered within an
 * `@supports` that names it. A value counts as covered after another declaration of its property.
 */
export function checkStyles(file: string, text: string, oldest: OldestBrowsers): Finding[] {
  const found = new Map<string, Finding>();
  const path: CssNode[] = [];
  const tree = parse(text, { filename: file, positions: true, parseCustomProperty: true });
  walk(tree, {
    enter(node: CssNode) {
      const declaration = path.find((one) => one.type === 'Declaration') ?? null;
      const isNested = path.some((one) => one.type === 'Rule');
      const conditions = path.flatMap((one) =>
        one.type === 'Atrule' && one.name === 'supports' ? [wordsOf(one, text)] : [],
      );
      const block = path.findLast((one) => one.type === 'Block');
      const isCovered =
        declaration !== null && block !== undefined && hasFallback(declaration, block.children.toArray());
      const isCondition = path.some((one) => one.type === 'AtrulePrelude' && conditions.length > 0);
      path.push(node);
      if (isCondition || isCovered) return;
      for (const { name, feature } of listUses(node, declaration, isNested)) {
        if (!isFeature(feature) || isPrefixed(name) || found.has(name)) continue;
        const word = name.replace(/^.*[: ]|\(\)$/g, '');
        if (conditions.some((condition) => condition.includes(word))) continue;
        const lacking = listLacking(feature, oldest);
        if (lacking.length > 0) found.set(name, { feature: name, line: node.loc?.start.line ?? 1, lacking });
      }
    },
    leave() {
      path.pop();
    },
  });
  return [...found.values()];
}
