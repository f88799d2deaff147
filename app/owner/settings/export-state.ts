import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { type Export, type ExportWords, keptHours } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

/** An export for the page. `percent` is below 100; `until` is its deletion. */
export type ExportState =
  | { state: 'making' | 'failed'; percent: number }
  | { state: 'ready'; bytes: number; until: string };

const keptMs = keptHours * 60 * 60 * 1000;

export function asExportState({ finishedAt, failedAt, rowsDone, rowsTotal, bytes }: Export): ExportState {
  if (finishedAt) return { state: 'ready', bytes, until: new Date(finishedAt.getTime() + keptMs).toISOString() };
  const percent = Math.min(99, Math.floor((100 * rowsDone) / Math.max(1, rowsTotal)));
  return { state: failedAt ? 'failed' : 'making', percent };
}

export async function getExportTexts({ companyName }: Owner): Promise<ExportWords> {
  const t = await getTranslations('exports');
  return { readme: t('readme', { company: companyName }), language: await currentLanguage() };
}
