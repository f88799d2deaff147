import { getTranslations } from 'next-intl/server';
import { MonthText } from '#app/owner/statistics/statistics-query.ts';
import { type CsvColumn, csvDownload } from '#app/responses/csv-download.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findStatisticsSpan, listStatistics, type MonthOfSends } from '#server/sends/statistics/statistics.ts';

/** Downloads the statistics of a range of months as CSV: one row for each month and sender. */
export async function GET(request: Request): Promise<Response> {
  const owner = await requireOwner('/owner/statistics');
  const query = readQuery({ from: MonthText, to: MonthText }, new URL(request.url).searchParams);
  const [t, { first, current }] = await Promise.all([getTranslations('statistics'), findStatisticsSpan(owner)]);
  const [from = first ?? current, to = current] = [query.from, query.to];
  const [earlier, later] = from <= to ? [from, to] : [to, from];
  const sums = await listStatistics(owner, { from: earlier, to: later });
  const columns: CsvColumn<MonthOfSends>[] = [
    { heading: t('month'), cellOf: ({ month }) => month },
    { heading: t('sender'), cellOf: ({ keyId, keyName }) => (keyId === null ? t('isManual') : keyName) },
    { heading: t('sends'), cellOf: ({ sends }) => sends },
    { heading: t('reach'), cellOf: ({ reach }) => reach },
    { heading: t('readCount'), cellOf: ({ readWithinHour }) => readWithinHour },
    { heading: t('toConfirm'), cellOf: ({ toConfirm }) => toConfirm },
    { heading: t('confirmedCount'), cellOf: ({ confirmed }) => confirmed },
  ];
  return csvDownload(owner, `statistics-${earlier}-${later}`, columns, sums);
}
