import { getTranslations } from 'next-intl/server';
import { listErrors } from '#app/docs/texts/errors.ts';
import { writeOperations } from '#app/docs/texts/operations.ts';
import { addressOf, findText, listTexts, pageSlugs, recipeSlugs } from '#app/docs/texts/texts.ts';
import { localeOf } from '#app/language/i18n.ts';
import type { Language } from '#server/api/failures.ts';

/**
 * A page as Markdown: its text, and what is made for it (lists of pages, the errors, the operations).
 * Null when there is no such page.
 */
export async function findPageMarkdown(slug: string, language: Language): Promise<string | null> {
  const text = findText(slug, language);
  if (!text) return null;
  const addition = await writeAddition(slug, language);
  return addition === '' ? text.markdown : `${text.markdown.trimEnd()}\n\n${addition}\n`;
}

async function writeAddition(slug: string, language: Language): Promise<string> {
  if (slug === 'recipes') return writeList(recipeSlugs, language);
  if (slug === 'errors') return writeErrors(language);
  if (slug === 'reference') return writeOperations(language);
  if (slug !== 'start') return '';
  const others = pageSlugs.filter((other) => other !== slug);
  return `## ${(await loadTexts(language))('here')}\n\n${writeList(others, language)}`;
}

const loadTexts = (language: Language) => getTranslations({ locale: localeOf(language), namespace: 'docs' });

const writeList = (slugs: string[], language: Language) =>
  listTexts(slugs, language)
    .map(({ slug, title, summary }) => `- [${title}](${addressOf(slug)}): ${summary}`)
    .join('\n');

// A heading for each status, and one for each code, which is its anchor.
async function writeErrors(language: Language): Promise<string> {
  const t = await loadTexts(language);
  const groups = Map.groupBy(await listErrors(language), ({ status }) => status);
  const parts = [...groups].map(([status, rows]) => {
    const errors = rows.map(({ code, sentence, cause }) => `### \`${code}\`\n\n${sentence}\n\n${t('cause')}: ${cause}`);
    return [`## ${status}: ${t(`statusNames.${status}`)}`, ...errors].join('\n\n');
  });
  return parts.join('\n\n');
}
