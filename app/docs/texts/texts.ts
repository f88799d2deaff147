import type { Language } from '#server/api/failures.ts';
import { env } from '#server/env.ts';

/** A text of the documentation in one language, as it is served: addresses and programs are in it. */
export type DocsText = {
  /** `start`, or `recipes/curl`: what stands behind `/docs/`. */
  slug: string;
  title: string;
  /** One sentence, for lists and search. */
  summary: string;
  markdown: string;
};

// Next 16.4 shortens the names of exports in its build, but not where `import: 'default'` asks for one.
const modules = import.meta.glob<{ default: string }>(
  ['../content/*.md', '../recipes/*.md', '../recipes/code/*', '../../../examples/bots/*.mjs'],
  {
    query: '?raw',
    eager: true,
  },
);
const sources = Object.fromEntries(Object.entries(modules).map(([path, module]) => [path, module.default]));

function listSlugs(folder: string, known: string[]): string[] {
  const slugs = Object.keys(sources).flatMap((path) => {
    const [, found, slug] = /^\.\.\/(\w+)\/([\w-]+)\.id\.md$/.exec(path) ?? [];
    return found === folder && slug ? [slug] : [];
  });
  const place = (slug: string) => (known.includes(slug) ? known.indexOf(slug) : known.length);
  return slugs.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** Every page but the recipes, in the order in which somebody reads them; one that is not named here comes last. */
export const pageSlugs = listSlugs('content', [
  ...['start', 'send', 'recipes', 'reference', 'errors', 'limits', 'retry', 'security', 'troubleshooting', 'changes'],
]);

/** Every recipe, in the order of their list. */
export const recipeSlugs = listSlugs('recipes', [
  ...[
    'curl',
    'wget',
    'php',
    'guzzle',
    'python-requests',
    'python',
    'node',
    'powershell',
    'go',
    'cron',
    'github-actions',
  ],
  ...['apps-script', 'n8n', 'zapier', 'make', 'apprise', 'telegram', 'whatsapp'],
]).map((slug) => `recipes/${slug}`);

/** Everything there is to read, in one order: the recipes follow their list. */
export const allSlugs = pageSlugs.flatMap((slug) => (slug === 'recipes' ? [slug, ...recipeSlugs] : [slug]));

// Apprise writes http:// and https:// as json:// and jsons://.
const withBase = (text: string) =>
  text.replaceAll('{{base}}', env().APP_URL).replaceAll('{{apprise-base}}', env().APP_URL.replace(/^http/, 'json'));

/** A program that recipes print, with this deployment's address in it, or null when there is none of that name. */
export function findProgram(file: string): string | null {
  const text = sources[`../recipes/code/${file}`] ?? sources[`../../../examples/bots/${file}`];
  return text === undefined ? null : withBase(text);
}

function asBlock(indent: string, file: string, language: string): string {
  const text = findProgram(file);
  if (text === null) throw new Error(`There is no program ${file} to print.`);
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`+)/gm)].map(([, ticks = '']) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const lines = [`${fence}${language} ${file}`, ...text.replace(/\n+$/, '').split('\n'), fence];
  return lines.map((line) => (line === '' ? line : indent + line)).join('\n');
}

/** A text by its slug, or null when there is none. */
export function findText(slug: string, language: Language): DocsText | null {
  const source = sources[`../${slug.includes('/') ? '' : 'content/'}${slug}.${language}.md`];
  if (source === undefined) return null;
  const printed = source.replace(/^( *)\{\{code (\S+) (\S+)\}\}$/gm, (_, indent: string, file: string, kind: string) =>
    asBlock(indent, file, kind),
  );
  const [title = '', summary = ''] = source.split(/\n\s*\n/, 2);
  return {
    slug,
    title: title.replace(/^#\s+/, '').trim(),
    summary: withBase(summary.replace(/\s+/g, ' ').trim()),
    markdown: withBase(printed),
  };
}

/** Several texts, in the order of their slugs. */
export const listTexts = (slugs: string[], language: Language): DocsText[] =>
  slugs.flatMap((slug) => findText(slug, language) ?? []);

/** Where a text is read. */
export const addressOf = (slug: string): string => (slug === 'start' ? '/docs' : `/docs/${slug}`);
