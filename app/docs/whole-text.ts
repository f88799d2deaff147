import { getTranslations } from 'next-intl/server';
import { statusTitle } from '#app/docs/errors/error-tables.tsx';
import { listErrors } from '#app/docs/errors/rows.ts';
import { writeOperations } from '#app/docs/reference/operations.ts';
import { addressOf, findText, listTexts, recipeSlugs } from '#app/docs/texts.ts';
import { localeOf } from '#app/i18n.ts';
import type { Language } from '#server/api/failures.ts';

/** A page as Markdown, with what its page shows below the text: the recipes' list, the errors, the operations. Null when there is none. */
export async function findWholeText(slug: string, language: Language): Promise<string | null> {
  const text = findText(slug, language);
  if (!text) return null;
  const more = await writeMore(slug, language);
  return more === '' ? text.markdown : `${text.markdown.trimEnd()}\n\n${more}\n`;
}

async function writeMore(slug: string, language: Language): Promise<string> {
  if (slug === 'recipes')
    return listTexts(recipeSlugs, language)
      .map((text) => `- [${text.title}](${addressOf(text.slug)}): ${text.summary}`)
      .join('\n');
  if (slug === 'errors') return writeErrors(language);
  return slug === 'reference' ? writeOperations(language) : '';
}

async function writeErrors(language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  const groups = listErrors(language).map(async ({ status, rows }) => {
    const caused = rows.some(({ cause }) => cause);
    const cells = (all: (string | undefined)[]) =>
      `| ${all.map((one) => (one ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
    const head = [t('code'), t('meaning'), ...(caused ? [t('cause')] : [])];
    const lines = rows.map(({ code, sentence, cause }) => cells([`\`${code}\``, sentence, ...(caused ? [cause] : [])]));
    return [`## ${await statusTitle(status, language)}`, '', cells(head), cells(head.map(() => '---')), ...lines].join(
      '\n',
    );
  });
  return (await Promise.all(groups)).join('\n\n');
}
