import { getTranslations } from 'next-intl/server';
import { listErrors, statusTitle } from '#app/docs/texts/errors.ts';
import { markdownTable, writeOperations } from '#app/docs/texts/operations.ts';
import { addressOf, findText, listTexts, recipeSlugs } from '#app/docs/texts/texts.ts';
import { localeOf } from '#app/language/i18n.ts';
import type { Language } from '#server/api/failures.ts';

/**
 * A page as Markdown: its text, and what the page shows below it (the list of recipes, the errors,
 * the operations). Null when there is no such page.
 */
export async function findPageMarkdown(slug: string, language: Language): Promise<string | null> {
  const text = findText(slug, language);
  if (!text) return null;
  const addition = await writeAddition(slug, language);
  return addition === '' ? text.markdown : `${text.markdown.trimEnd()}\n\n${addition}\n`;
}

async function writeAddition(slug: string, language: Language): Promise<string> {
  if (slug === 'recipes')
    return listTexts(recipeSlugs, language)
      .map((text) => `- [${text.title}](${addressOf(text.slug)}): ${text.summary}`)
      .join('\n');
  if (slug === 'errors') return writeErrors(language);
  return slug === 'reference' ? writeOperations(language) : '';
}

async function writeErrors(language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  const groups = (await listErrors(language)).map(async ({ status, rows }) => {
    const cells = rows.map(({ code, sentence, cause }) => [`\`${code}\``, sentence, cause]);
    const table = markdownTable([t('code'), t('meaning'), t('cause')], cells);
    return `## ${await statusTitle(status, language)}\n\n${table}`;
  });
  return (await Promise.all(groups)).join('\n\n');
}
