import { getTranslations } from 'next-intl/server';
import { findPageMarkdown } from '#app/docs/texts/page-markdown.ts';
import { type Rendered, type RenderWords, renderMarkdown } from '#app/docs/texts/render.ts';
import { findProgram } from '#app/docs/texts/texts.ts';
import { localeOf } from '#app/language/i18n.ts';
import type { Language } from '#server/api/failures.ts';

// The texts are part of the build: an entry never changes, and there are as many as texts.
const cache = new Map<string, Rendered>();

async function loadWords(language: Language): Promise<RenderWords> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  return {
    copy: t('copy'),
    copyBlock: (name) => t('copyBlock', { name }),
    block: (number) => t('block', { number }),
    download: t('download'),
    downloadFile: (file) => t('downloadFile', { file }),
    table: t('table'),
    isFile: (name) => findProgram(name) !== null,
  };
}

/** A page as HTML, or null. */
export async function findRendered(slug: string, language: Language): Promise<Rendered | null> {
  const cacheKey = `${language} ${slug}`;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const markdown = await findPageMarkdown(slug, language);
  if (markdown === null) return null;
  const rendered = renderMarkdown(markdown, await loadWords(language));
  cache.set(cacheKey, rendered);
  return rendered;
}
