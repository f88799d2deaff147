import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import type { ExportWords } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

/** What a copy is told in words, in the language of whoever asked for it. */
export async function exportWords({ companyName }: Owner): Promise<ExportWords> {
  const t = await getTranslations('exports');
  return { readme: t('readme', { company: companyName }), language: await currentLanguage() };
}
