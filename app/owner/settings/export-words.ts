import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import type { ExportWords } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

export async function getExportWords({ companyName }: Owner): Promise<ExportWords> {
  const t = await getTranslations('exports');
  return { readme: t('readme', { company: companyName }), language: await currentLanguage() };
}
