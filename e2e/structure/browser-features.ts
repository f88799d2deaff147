import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Version = string | boolean | null;
type Statement = {
  version_added: Version;
  version_removed?: Version;
  flags?: object[];
  prefix?: string;
  alternative_name?: string;
};
type Status = { standard_track: boolean; deprecated: boolean };
type Compat = { support: Record<string, Statement | Statement[] | undefined>; status?: Status };

/** A part of the compatibility data: a feature, and the features below it by name. */
export type Feature = { __compat?: Compat } & { [name: string]: Feature };

/** MDN's compatibility data, with the areas that pages use. */
export const compatData = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'),
) as Record<'api' | 'css' | 'html' | 'javascript', Feature>;

/** What browserslist calls each browser, and which browsers of the data it stands for. */
const browserNames: Record<string, readonly string[]> = {
  chrome: ['chrome', 'chrome_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
  samsung: ['samsunginternet_android'],
};

/** The oldest version of each browser that the pages serve; the names are those of the data. */
export type OldestBrowsers = ReadonlyMap<string, number>;

/**
 * Reads the oldest browsers from `browserslist` in package.json. Every line is `name >= version`.
 * Throws on any other form.
 */
export function readOldestBrowsers(root: string): OldestBrowsers {
  const { browserslist } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { browserslist: string[] };
  const pairs = browserslist.flatMap((line) => {
    const [, name = '', version = ''] = /^(\w+) >= ([\d.]+)$/.exec(line) ?? [];
    const names = browserNames[name];
    if (!names) throw new Error(`package.json, browserslist: "${line}" is not "name >= version"`);
    return names.map((one) => [one, Number(version)] as const);
  });
  return new Map(pairs);
}

function works({ version_added: added, version_removed: removed, ...rest }: Statement, version: number): boolean {
  if (rest.flags || rest.prefix || rest.alternative_name || typeof added !== 'string') return false;
  const since = Number.parseFloat(added.replace('≤', ''));
  return since <= version && !(typeof removed === 'string' && Number.parseFloat(removed) <= version);
}

/**
 * The oldest browsers that lack a feature, or an empty list. A feature of which the data says
 * nothing is no finding. A part of a feature that is missing (`partial_implementation`) is none
 * either, because nearly every feature has such a note.
 */
export function listLacking(feature: Feature | undefined, oldest: OldestBrowsers): string[] {
  const support = feature?.__compat?.support;
  if (!support) return [];
  return [...oldest].flatMap(([browser, version]) => {
    const statements = [support[browser] ?? []].flat();
    return statements.length === 0 || statements.some((one) => works(one, version)) ? [] : [`${browser} ${version}`];
  });
}

/** The features below a feature, by name. */
export const listFeatures = (feature: Feature = {} as Feature): [string, Feature][] =>
  Object.keys(feature)
    .filter((name) => name !== '__compat')
    .map((name) => [name, feature[name] as Feature]);

/** Whether the data has an entry of this feature itself, and not only of features below it. */
export const isFeature = (feature: Feature | undefined): feature is Feature => feature?.__compat !== undefined;

/** A feature that a file uses and one of the oldest browsers lacks. */
export type Finding = {
  /** The name of the feature: `Map.groupBy`, `:has`, `popover=`. */
  feature: string;
  /** The line of the file, from 1. */
  line: number;
  /** The browsers that lack it. */
  lacking: string[];
};
