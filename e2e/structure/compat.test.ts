import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Atrule, type CssNode, type Declaration, keyword, parse, property, walk } from 'css-tree';
import { expect, test } from 'vitest';
import {
  compatData,
  type Feature,
  type Finding,
  isFeature,
  listLacking,
  type OldestBrowsers,
  readOldestBrowsers,
} from '#e2e/structure/browser-features.ts';
import { root } from '#e2e/support/service/service.ts';

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
function checkStyles(file: string, text: string, oldest: OldestBrowsers): Finding[] {
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

const oldest = readOldestBrowsers(root);

test('the oldest browsers are those that the documentation names', () => {
  expect(Object.fromEntries(oldest)).toEqual({
    ...{ chrome: 111, chrome_android: 111, edge: 111, firefox: 115, firefox_android: 115 },
    ...{ safari: 16.4, safari_ios: 16.4, samsunginternet_android: 22 },
  });
});

/** Style features that pages use although one of the oldest browsers lacks them, each with its reason. */
const accepted: Record<string, string> = {
  'cursor: pointer': 'a phone has no pointer',
  'font-family: ui-monospace': 'other fonts follow in the list',
  '@page': 'the margins of a printed sheet are then those of the print dialog',
  size: 'the paper of a printed sheet is then that of the print dialog',
  ':has': 'a row with the focus of the keyboard then shows the short time only',
  'field-sizing': 'a filter is then as wide as its longest choice',
  'field-sizing: content': 'the same',
};

// The style sheets within an HTML file, at their lines.
function listInlineStyles(html: string): string {
  const parts = html.split(/(<\/?style[^>]*>)/);
  return parts.map((part, index) => (index % 4 === 2 ? part : part.replace(/[^\n]/g, ' '))).join('');
}

test('the style sheets of the pages use only what the oldest browsers have, or what is accepted', () => {
  const files = globSync(['app/**/*.css', 'app/browser-files/*.html'].map((pattern) => join(root, pattern)));
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const styles = path.endsWith('.html') ? listInlineStyles(text) : text;
    return checkStyles(path, styles, oldest).map((one) => ({ ...one, file: relative(root, path) }));
  });
  expect(found.filter(({ feature }) => !(feature in accepted))).toEqual([]);
  expect(Object.keys(accepted).filter((name) => !found.some(({ feature }) => feature === name))).toEqual([]);
});
