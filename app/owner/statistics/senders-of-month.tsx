import { getFormatter, getTranslations } from 'next-intl/server';
import { percentOf } from '#app/owner/statistics/statistics-query.ts';
import { Cell, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { ShareBar } from '#app/ui/pictures/share-bar.tsx';
import type { MonthOfSends } from '#server/sends/statistics.ts';

/** The keys of a month, and sends by hand, each with its figures. A row of a key opens the key. */
export async function SendersOfMonth({ sums }: { sums: MonthOfSends[] }) {
  const [t, format] = await Promise.all([getTranslations('statistics'), getFormatter()]);
  const columns = [
    { name: t('sender'), width: 'minmax(0, 2fr)' },
    { name: t('sends'), width: '96px', end: true },
    { name: t('reach'), width: '112px', end: true },
    { name: t('read'), width: 'minmax(150px, 1fr)' },
    { name: t('confirmed'), width: 'minmax(150px, 1fr)' },
  ];
  return (
    <ListTable label={t('senders')} columns={columns}>
      {sums.map(({ keyId, keyName, sends, reach, readWithinHour, toConfirm, confirmed }) => (
        <ListRow key={keyId ?? 0} data-sender={keyId ?? 'hand'}>
          <Cell at="main">
            {keyId === null ? (
              <strong>{t('byHand')}</strong>
            ) : (
              <RowLink href={`/owner/keys/${keyId}`}>
                <bdi>{keyName}</bdi>
              </RowLink>
            )}
          </Cell>
          <Cell end>{format.number(sends)}</Cell>
          <Cell end>{format.number(reach)}</Cell>
          <Cell at="aside">
            <PartOf part={readWithinHour} whole={reach} text={t('readOf', { count: readWithinHour, whole: reach })} />
          </Cell>
          <Cell>
            <PartOf
              part={confirmed}
              whole={toConfirm}
              text={t('confirmedOf', { count: confirmed, whole: toConfirm })}
            />
          </Cell>
          <Cell at="second" phone>
            {t('inShort', { sends, reach })}
            {toConfirm > 0 && ` · ${t('confirmedShort', { percent: percentOf(confirmed, toConfirm) ?? 0 })}`}
          </Cell>
        </ListRow>
      ))}
    </ListTable>
  );
}

async function PartOf({ part, whole, text }: { part: number; whole: number; text: string }) {
  const percent = percentOf(part, whole);
  const format = await getFormatter();
  if (percent === null) return <span className="dimmed">–</span>;
  return (
    <span className="part-of" title={text}>
      <span>{format.number(percent / 100, { style: 'percent' })}</span>
      <ShareBar label={text} total={whole} parts={[{ label: text, value: part, tone: 'accent' }]} />
    </span>
  );
}
