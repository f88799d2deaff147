import { getTranslations } from 'next-intl/server';
import { statusTitle } from '#app/docs/errors/error-tables.tsx';
import { listErrors, listMistakes } from '#app/docs/errors/rows.ts';
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

const asRow = (cells: string[]) => `| ${cells.map((one) => one.replaceAll('|', '\\|')).join(' | ')} |`;

const asTable = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => asRow(cells)).join('\n');

async function writeErrors(language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  const groups = listErrors(language).map(async ({ status, rows }) => {
    const cells = rows.map(({ code, sentence, cause }) => [`\`${code}\``, sentence, cause]);
    const table = asTable([t('code'), t('meaning'), t('cause')], cells);
    return `## ${await statusTitle(status, language)}\n\n${table}`;
  });
  const mistakes = (await listMistakes(language)).map(({ about, sent, code, sentence }) => [
    `${about}: \`${sent.replace(/\s*\n\s*/g, ' ⏎ ')}\``,
    `${sentence} \`${code}\``,
  ]);
  const table = asTable([t('mistake'), t('answered')], mistakes);
  return [...(await Promise.all(groups)), `## ${t('mistakes')}`, t('mistakesLead'), table].join('\n\n');
}
