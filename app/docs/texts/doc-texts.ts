import { env } from '#platform/config/settings.ts';
import { fallbackLanguage, type Language } from '#platform/language.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** A text of the documentation in one language, filled in. Its `slug` is the path below `/docs/`: `recipes/curl`. */
type DocsText = { slug: string; title: string; summary: string; markdown: string };

// Without `import: 'default'` the build of Next 16.4 renames the export of each file.
const modules = import.meta.glob<{ default: string }>(['../../../messages/*/docs/**/*.md', '../recipes/code/*'], {
  query: '?raw',
  eager: true,
});
const sources = Object.fromEntries(Object.entries(modules).map(([path, module]) => [path, module.default]));

const words = (list: string) => list.trim().split(/\s+/);

/** All pages except recipes, in reading order. */
export const pageSlugs = words(`
  start send recipes reference clients errors limits retry security troubleshooting questions
  bell browsers changes`);

export const recipeSlugs = words(`
  curl wget php guzzle python-requests python node powershell go cron github-actions monitoring
  apps-script n8n node-red zapier make apprise webhooks erp telegram whatsapp cut-text`).map(
  (slug) => `recipes/${slug}`,
);

/** All slugs in reading order; the recipes follow the page that lists them. */
export const allSlugs = pageSlugs.flatMap((slug) => (slug === 'recipes' ? [slug, ...recipeSlugs] : [slug]));

/** Fills in this deployment's address, and the longest title and text of a notification. */
export const fill = (text: string): string =>
  text
    .replaceAll('{{title-limit}}', String(draftLimits.title))
    .replaceAll('{{body-limit}}', String(draftLimits.body))
    .replaceAll('{{base}}', env().APP_URL)
    // Apprise writes http:// and https:// as json:// and jsons://.
    .replaceAll('{{apprise-base}}', env().APP_URL.replace(/^http/, 'json'));

/** A program of the recipes with this deployment's address filled in, or null. */
export function findProgram(file: string): string | null {
  const text = sources[`../recipes/code/${file}`];
  return text === undefined ? null : fill(text);
}

function asBlock(indent: string, file: string, language: string): string {
  const text = findProgram(file);
  if (text === null) throw new Error(`There is no program ${file} to print.`);
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`+)/gm)].map(([, ticks = '']) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const lines = [`${fence}${language} ${file}`, ...text.replace(/\n+$/, '').split('\n'), fence];
  return lines.map((line) => (line === '' ? line : indent + line)).join('\n');
}

/** A file of the documentation as it was written: in English, where a language has none of its own. */
export const findSource = (name: string, language: Language): string | undefined =>
  [language, fallbackLanguage.program]
    .map((folder) => sources[`../../../messages/${folder}/docs/${name}.md`])
    .find((source) => source !== undefined);

export function findText(slug: string, language: Language): DocsText | null {
  const source = findSource(slug, language);
  if (source === undefined) return null;
  const printed = source.replace(/^( *)\{\{code (\S+) (\S+)\}\}$/gm, (_, indent: string, file: string, kind: string) =>
    asBlock(indent, file, kind),
  );
  const [title = '', summary = ''] = source.split(/\n\s*\n/, 2);
  return {
    slug,
    title: title.replace(/^#\s+/, '').trim(),
    summary: fill(summary.replace(/\s+/g, ' ').trim()),
    markdown: fill(printed),
  };
}

/** The texts of these slugs, in their order; unknown slugs are left out. */
export const listTexts = (slugs: string[], language: Language): DocsText[] =>
  slugs.flatMap((slug) => findText(slug, language) ?? []);

export const addressOf = (slug: string): string => (slug === 'start' ? '/docs' : `/docs/${slug}`);
