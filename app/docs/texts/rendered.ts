import { getTranslations } from 'next-intl/server';
import { writeOperations } from '#app/docs/texts/operations.ts';
import { type Rendered, type RenderWords, renderMarkdown } from '#app/docs/texts/render.ts';
import { findProgram, findText } from '#app/docs/texts/texts.ts';
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

async function render(name: string, language: Language, markdown: () => string | Promise<string>) {
  const cacheKey = `${language} ${name}`;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const rendered = renderMarkdown(await markdown(), await loadWords(language));
  cache.set(cacheKey, rendered);
  return rendered;
}

/** A text as HTML, or null. */
export async function findRendered(slug: string, language: Language): Promise<Rendered | null> {
  const text = findText(slug, language);
  return text && render(slug, language, () => text.markdown);
}

/** The operations of the OpenAPI document as HTML. */
export const renderOperations = (language: Language): Promise<Rendered> =>
  render('operations', language, () => writeOperations(language));
