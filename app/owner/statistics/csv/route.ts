import { getTranslations } from 'next-intl/server';
import { type CsvColumn, csvDownload } from '#app/responses/download.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findStatisticsSpan, listStatistics, type MonthOfSends } from '#server/sends/statistics/statistics.ts';

export async function GET(): Promise<Response> {
  const owner = await requireOwner('/owner/statistics');
  const [t, { first, current: to }] = await Promise.all([getTranslations('statistics'), findStatisticsSpan(owner)]);
  const from = first ?? to;
  const sums = await listStatistics(owner, { from, to });
  const columns: CsvColumn<MonthOfSends>[] = [
    { heading: t('month'), cellOf: ({ month }) => month },
    { heading: t('sender'), cellOf: ({ keyId, keyName }) => (keyId === null ? t('isManual') : keyName) },
    { heading: t('sends'), cellOf: ({ sends }) => sends },
    { heading: t('reach'), cellOf: ({ reach }) => reach },
    { heading: t('readCount'), cellOf: ({ readWithinHour }) => readWithinHour },
    { heading: t('toConfirm'), cellOf: ({ toConfirm }) => toConfirm },
    { heading: t('confirmedCount'), cellOf: ({ confirmed }) => confirmed },
  ];
  return csvDownload(owner, `statistics-${from}-${to}`, columns, sums);
}
