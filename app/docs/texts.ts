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
const modules = import.meta.glob<{ default: string }>(['./content/*.md', './recipes/*.md', './recipes/code/*'], {
  query: '?raw',
  eager: true,
});
const sources = Object.fromEntries(Object.entries(modules).map(([path, module]) => [path, module.default]));

// In the order in which somebody reads them; what is not named here comes after them, by name.
const order = ['start', 'send', 'limits', 'retry', 'security', 'troubleshooting', 'changes'];
const recipeOrder = [
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
];

function listSlugs(folder: string, known: string[]): string[] {
  const slugs = Object.keys(sources).flatMap((path) => {
    const [, found, slug] = /^\.\/(\w+)\/([\w-]+)\.id\.md$/.exec(path) ?? [];
    return found === folder && slug ? [slug] : [];
  });
  const places = new Map(slugs.map((slug) => [slug, known.includes(slug) ? known.indexOf(slug) : known.length]));
  return slugs.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || (a < b ? -1 : 1));
}

/** Every page that is a text, in reading order. */
export const pageSlugs = listSlugs('content', order);
/** Every recipe, in the order of the list. */
export const recipeSlugs = listSlugs('recipes', recipeOrder).map((slug) => `recipes/${slug}`);

// Apprise writes http:// and https:// as json:// and jsons://.
const withBase = (text: string) =>
  text.replaceAll('{{base}}', env().APP_URL).replaceAll('{{apprise-base}}', env().APP_URL.replace(/^http/, 'json'));

/** The text of a program that recipes print, or null when there is none of that name. */
export function findProgram(file: string): string | null {
  const text = sources[`./recipes/code/${file}`];
  return text === undefined ? null : withBase(text);
}

function asBlock(file: string, language: string): string {
  const text = findProgram(file);
  if (text === null) throw new Error(`There is no program ${file} to print.`);
  const longest = Math.max(2, ...[...text.matchAll(/^`+/gm)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language} ${file}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

/** A text by its slug, or null when there is none. */
export function findText(slug: string, language: Language): DocsText | null {
  const source = sources[`./${slug.includes('/') ? '' : 'content/'}${slug}.${language}.md`];
  if (source === undefined) return null;
  const printed = source.replace(/^\{\{code (\S+) (\S+)\}\}$/gm, (_, file: string, kind: string) =>
    asBlock(file, kind),
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
