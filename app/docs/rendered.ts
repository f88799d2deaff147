import { getTranslations } from 'next-intl/server';
import { cache } from 'react';
import { writeOperations } from '#app/docs/reference/operations.ts';
import { type Rendered, type RenderWords, renderMarkdown } from '#app/docs/render.ts';
import { findProgram, findText } from '#app/docs/texts.ts';
import { localeOf } from '#app/i18n.ts';
import type { Language } from '#server/api/failures.ts';

const kept = new Map<string, Rendered>();

const loadWords = cache(async (language: Language): Promise<RenderWords> => {
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
});

/** A text as HTML, made once; `among` other texts on one page its anchors have its name before them. Null when there is no such text. */
export async function findRendered(slug: string, language: Language, among = false): Promise<Rendered | null> {
  const name = `${language} ${among} ${slug}`;
  const before = kept.get(name);
  if (before) return before;
  const text = findText(slug, language);
  if (!text) return null;
  const rendered = renderMarkdown(text.markdown, await loadWords(language), among ? slug : undefined);
  kept.set(name, rendered);
  return rendered;
}

/** The operations of the interface for a page that has everything on it. */
export async function renderOperations(language: Language): Promise<Rendered> {
  const name = `${language} operations`;
  const before = kept.get(name);
  if (before) return before;
  const rendered = renderMarkdown(await writeOperations(language), await loadWords(language), 'operations');
  kept.set(name, rendered);
  return rendered;
}
