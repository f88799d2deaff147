import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { findText } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

/** Title, description and Markdown address of a text's page. */
export async function describeText(slug: string): Promise<Metadata> {
  const language = await currentLanguage();
  const text = findText(slug, language);
  if (!text) return {};
  const t = await getTranslations('docs');
  return {
    title: `${text.title} · ${t('title')}`,
    description: text.summary,
    alternates: { types: { 'text/markdown': `/docs/${slug}.md?lang=${language}` } },
  };
}
