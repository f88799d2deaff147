import { getTranslations } from 'next-intl/server';
import { markdownTable } from '#app/docs/texts/operations.ts';
import { listErrors } from '#app/docs/texts/pages.ts';
import { type DocsText, listTexts, pageSlugs, recipeSlugs, withLimits } from '#app/docs/texts/texts.ts';
import { localeOf } from '#app/language/i18n.ts';
import { env } from '#platform/config/settings.ts';
import type { Language } from '#server/api/failures.ts';

/** The list of all pages for language models, in the format of llmstxt.org. */
export async function writeLlmsIndex(language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs.llms' });
  const base = env().APP_URL;
  const other = language === 'id' ? 'en' : 'id';
  const list = (texts: DocsText[]) =>
    texts.map(({ slug, title, summary }) => `- [${title}](${base}/docs/${slug}.md?lang=${language}): ${summary}`);
  return [
    '# Staff Notification API',
    `> ${t('summary')}`,
    t('more', { base }),
    `## ${t('pages')}`,
    list(listTexts(pageSlugs, language)).join('\n'),
    `## ${t('recipes')}`,
    list(listTexts(recipeSlugs, language)).join('\n'),
    `## ${t('machine')}`,
    [
      `- [llms-small.txt](${base}/llms-small.txt?lang=${language}): ${t('small')}`,
      `- [openapi.json](${base}/api/v1/openapi.json?lang=${language}): ${t('document')}`,
      `- [openapi-3.0.json](${base}/api/v1/openapi-3.0.json?lang=${language}): ${t('document30')}`,
      `- [postman.json](${base}/api/v1/postman.json?lang=${language}): ${t('postman')}`,
      `- [llms.txt](${base}/llms.txt?lang=${other}): ${t('other')}`,
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

const texts = import.meta.glob<{ default: string }>('../llms/small.*.md', { query: '?raw', eager: true });

/**
 * The interface on one page of less than 30 kB, from which a client can be written. Every request
 * in it stands before its answer; `e2e/docs/llms-small.test.ts` sends them.
 */
export async function writeLlmsSmall(language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  const cells = (await listErrors(language)).map(({ status, code, cause }) => [String(status), `\`${code}\``, cause]);
  const codes = markdownTable([t('reference.status'), t('code'), t('cause')], cells);
  const text = texts[`../llms/small.${language}.md`]?.default ?? '';
  const base = env().APP_URL;
  return withLimits(text)
    .replace('{{codes}}', () => codes)
    .replaceAll('{{base}}', base)
    .replaceAll('{{host}}', new URL(base).host);
}
