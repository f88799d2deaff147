import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { type Export, type ExportWords, keptHours } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

/** An export for the page. `percent` is below 100 until `ready`; `until` is its deletion. */
export type ExportState = {
  state: 'making' | 'ready' | 'failed';
  percent: number;
  bytes: number;
  until: string | null;
};

const keptMs = keptHours * 60 * 60 * 1000;

export function asExportState(exported: Export): ExportState {
  const { finishedAt, failedAt, rowsDone, rowsTotal, bytes } = exported;
  const percent = finishedAt ? 100 : Math.min(99, Math.floor((100 * rowsDone) / Math.max(1, rowsTotal)));
  const until = finishedAt && new Date(finishedAt.getTime() + keptMs).toISOString();
  return { state: finishedAt ? 'ready' : failedAt ? 'failed' : 'making', percent, bytes, until };
}

export async function getExportTexts({ companyName }: Owner): Promise<ExportWords> {
  const t = await getTranslations('exports');
  return { readme: t('readme', { company: companyName }), language: await currentLanguage() };
}
